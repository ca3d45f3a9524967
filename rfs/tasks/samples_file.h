#pragma once

#include <filesystem>
#include <vector>

#include "rfs/tasks/task.h"

namespace rfs {

/// Samples as JSON lines: {"prompt": ..., "answer": ..., "length": ...}, and for import an optional "split".
struct FileSample {
  Sample sample;
  std::string split;  ///< "train", "validation", "test" or ""
};

/// Throws Error that names the line.
std::vector<FileSample> read_samples(const std::filesystem::path& path);
/// Puts a space before the answer where it would run into the prompt's last word: a sample's text is prompt + answer.
/// Returns whether it did. For samples that read_samples gave.
bool separate(Sample& sample);
void write_samples(const std::filesystem::path& path, const std::vector<Sample>& samples);

/// "train", "validation" or "test".
const char* split_name(Split split);

/// What a folder of data says of itself in data.json: the words its texts are made of.
Vocabulary read_vocabulary(const std::filesystem::path& folder);
void write_vocabulary(const std::filesystem::path& folder, const Vocabulary& vocabulary);

}  // namespace rfs
