#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "rfs/records/provenance.h"
#include "rfs/text/tokenizer.h"

namespace rfs {

/// What made a corpus's ids.
struct CorpusTokenizer {
  std::string settings;  ///< the [tokenizer] table as TOML
  std::string hash;      ///< of every id's text
  int64_t vocabulary = 0;
  int32_t end = 0;

  static CorpusTokenizer of(const Tokenizer& tokenizer, const std::string& settings);
  int64_t width() const { return vocabulary <= 65'536 ? 2 : 4; }  ///< bytes of an id on disk
  bool operator==(const CorpusTokenizer&) const = default;
};

/// What decides which ids a corpus holds: the same plan over the same files gives the same bytes.
struct CorpusPlan {
  struct Source {
    std::string file;
    int64_t bytes = 0;
  };
  CorpusTokenizer tokenizer;
  std::vector<Source> sources;
  std::string documents, separator, field;  ///< how documents are found in them: see rfs/corpus/documents.h
  double validation = 0;                    ///< share of documents
  int64_t seed = 0;
  int64_t shard_tokens = 0;
  bool operator==(const CorpusPlan& other) const;  ///< as they are stored: what is not UTF-8 is not kept as it was
};

/// A corpus's manifest.json: what its folder holds and where that came from.
struct Manifest {
  struct Shard {
    std::string file;  ///< below the corpus's folder
    int64_t tokens = 0, documents = 0;
    std::string sha256;  ///< of the whole file
  };
  CorpusPlan plan;
  std::vector<Shard> train, validation;
  int64_t bytes = 0;                 ///< of the texts
  int64_t empty = 0;                 ///< documents without text, left out
  int64_t broken = 0;                ///< documents that could not be read, left out
  std::vector<std::string> reasons;  ///< the first of these, each with its name
  std::string hash;                  ///< of shards and tokenizer
  Provenance provenance;

  static constexpr const char* file_name = "manifest.json";
  static constexpr const char* progress_name = "progress.json";  ///< in its place while the corpus is made
  static constexpr const char* format = "rfs corpus 1";

  /// Throws Error where the folder holds no whole corpus of this format.
  static Manifest read(const std::filesystem::path& folder);
  void write(const std::filesystem::path& folder) const;

  /// The same as text, for a record of work in progress.
  std::string text() const;
  static Manifest parse(const std::string& text, const std::filesystem::path& name);
};

}  // namespace rfs
