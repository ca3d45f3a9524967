#pragma once

#include <filesystem>
#include <string>

#include "rfs/tasks/examples.h"

namespace rfs {

/// Examples on disk, to be mapped into memory: docs/formats.md has the layout. `tokenizer` says what made the ids (its
/// settings as TOML), `samples` of which texts (file_sha256 of them); `vocabulary` is the number of ids.
struct ExamplesFile {
  Examples examples;
  std::string tokenizer, samples;
  int64_t vocabulary = 0;
};

/// Writes atomically.
void write_examples(const std::filesystem::path& path, const ExamplesFile& file);

/// Maps a file. Everything in it is checked first: sizes, offsets, ids. Throws Error.
ExamplesFile map_examples(const std::filesystem::path& path);

}  // namespace rfs
