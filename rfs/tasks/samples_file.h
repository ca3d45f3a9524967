#pragma once

#include <filesystem>
#include <vector>

#include "rfs/tasks/task.h"

namespace rfs {

/// A sample in a JSON lines file: {"prompt": ..., "answer": ...}, an optional "length" and "depth", and for import an
/// optional "split". A sample without a length gets the number of words of its prompt.
struct FileSample {
  Sample sample;
  std::string split;     ///< "train", "validation", "test" or ""
  bool counted = false;  ///< the length is the number of words
};

/// Throws an Error that names the line.
std::vector<FileSample> read_samples(const std::filesystem::path& path);
/// Inserts a space before the answer if it would run into the prompt's last word, because a sample's text is prompt +
/// answer. Returns true if it did. For samples from read_samples.
bool separate(Sample& sample);
void write_samples(const std::filesystem::path& path, const std::vector<Sample>& samples);

/// "train", "validation" or "test".
const char* split_name(Split split);

/// The vocabulary of a data folder, which is stored in data.json.
Vocabulary read_vocabulary(const std::filesystem::path& folder);
void write_vocabulary(const std::filesystem::path& folder, const Vocabulary& vocabulary);

}  // namespace rfs
