#pragma once

#include <filesystem>
#include <optional>
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

/// The id that all rows end with; nothing where there is no row. Throws Error where they end with different ones;
/// `path` names the file they are of.
std::optional<int32_t> end_of(const Examples& examples, const std::filesystem::path& path);

}  // namespace rfs
