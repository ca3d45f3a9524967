#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "rfs/tasks/examples.h"

namespace rfs {

/// Tokenized samples on disk, in a file that can be mapped into memory; docs/formats.md describes the layout.
/// `tokenizer` is the settings of the tokenizer as TOML, `samples` is the file_sha256 of the texts, and `vocabulary` is
/// the number of ids.
struct ExamplesFile {
  Examples examples;
  std::string tokenizer, samples;
  int64_t vocabulary = 0;
};

/// Writes the file atomically.
void write_examples(const std::filesystem::path& path, const ExamplesFile& file);

/// Maps a file after checking all of its content: sizes, offsets, ids. Throws Error.
ExamplesFile map_examples(const std::filesystem::path& path);

/// The id that all rows end with; nothing if there are no rows. Throws Error if rows end with different ids; `path`
/// names their file.
std::optional<int32_t> end_of(const Examples& examples, const std::filesystem::path& path);

}  // namespace rfs
