#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "rfs/records/provenance.h"
#include "rfs/text/tokenizer.h"

namespace rfs {

/// The tokenizer that made a corpus's ids.
struct CorpusTokenizer {
  std::string settings;  ///< the [tokenizer] table as TOML
  std::string hash;      ///< of the text of all ids
  int64_t vocabulary = 0;
  int32_t end = 0;

  static CorpusTokenizer of(const Tokenizer& tokenizer, const std::string& settings);
  /// The hash of the texts of the first `count` ids.
  static std::string hash_of(const Tokenizer& tokenizer, int64_t count);
  int64_t width() const { return vocabulary <= 65'536 ? 2 : 4; }  ///< bytes per id on disk
  bool operator==(const CorpusTokenizer&) const = default;
};

/// The inputs that determine a corpus's ids: the same plan over the same files gives the same bytes.
struct CorpusPlan {
  struct Source {
    std::string file;
    int64_t bytes = 0;
  };
  CorpusTokenizer tokenizer;
  std::vector<Source> sources;
  std::string documents, separator, field;  ///< how files are split into documents: see rfs/corpus/documents.h
  double validation = 0;                    ///< fraction of documents
  int64_t seed = 0;
  int64_t shard_tokens = 0;
  bool operator==(const CorpusPlan& other) const;  ///< compares the stored form, which replaces invalid UTF-8
};

/// A corpus's manifest.json: the contents of its folder and where they come from.
struct Manifest {
  struct Shard {
    std::string file;  ///< path below the corpus's folder
    int64_t tokens = 0, documents = 0;
    std::string sha256;  ///< of the whole file
  };
  CorpusPlan plan;
  std::vector<Shard> train, validation;
  int64_t bytes = 0;                 ///< size of the texts
  int64_t empty = 0;                 ///< number of skipped documents without text
  int64_t broken = 0;                ///< number of skipped documents that could not be read
  std::vector<std::string> reasons;  ///< why the first of these were skipped, with their names
  std::string hash;                  ///< of shards and tokenizer, in hexadecimal
  Provenance provenance;

  static constexpr const char* file_name = "manifest.json";
  static constexpr const char* progress_name = "progress.json";  ///< exists instead of the manifest during the build
  static constexpr const char* format = "rfs corpus 1";

  /// Throws Error if the folder has no finished corpus of this format.
  static Manifest read(const std::filesystem::path& folder);
  void write(const std::filesystem::path& folder) const;

  /// The manifest as text, for the record of a build in progress.
  std::string text() const;
  static Manifest parse(const std::string& text, const std::filesystem::path& name);
};

}  // namespace rfs
