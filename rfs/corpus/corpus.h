#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rfs/corpus/manifest.h"
#include "rfs/corpus/shard.h"
#include "rfs/text/tokenizer.h"

namespace rfs {

/// Opens a shard in a folder. Throws Error if it does not match the manifest's record.
Shard open_shard(const std::filesystem::path& folder, const Manifest::Shard& record, int64_t width);

/// A tokenized corpus: a folder written by `rfs corpus make`, with its shards mapped into memory. Copies share the
/// mappings. docs/formats.md describes the layout.
class Corpus {
 public:
  /// One split as a stream of ids: all documents in order, each followed by its end token.
  class Part {
   public:
    int64_t tokens() const { return tokens_; }
    int64_t documents() const { return documents_; }

    /// Reads the ids from `first` on, across shards. Throws std::out_of_range beyond the stream, and Error for an id
    /// outside the vocabulary. Thread-safe.
    void read(int64_t first, std::span<int32_t> to) const;

    /// The begin and end of a document in the stream, including its end token. Throws std::out_of_range.
    std::pair<int64_t, int64_t> document(int64_t index) const;

    /// The longest document (the first one on ties); {0, 0} if there are none.
    std::pair<int64_t, int64_t> longest() const;

   private:
    friend class Corpus;
    struct Piece {
      Shard shard;
      int64_t first_token = 0, first_document = 0;
    };
    std::vector<Piece> pieces_;
    int64_t tokens_ = 0, documents_ = 0, vocabulary_ = 0;
  };

  /// Opens a corpus and checks the manifest and every shard's header, size and document ends. Throws Error if there is
  /// no finished corpus, the format version differs, or a shard is missing, truncated or from another corpus.
  explicit Corpus(const std::filesystem::path& folder);

  const Part& train() const { return train_; }
  const Part& validation() const { return validation_; }

  std::string tokenizer_settings() const { return manifest_.plan.tokenizer.settings; }  ///< [tokenizer] as TOML
  int64_t vocabulary() const { return manifest_.plan.tokenizer.vocabulary; }            ///< number of ids
  int32_t end() const { return manifest_.plan.tokenizer.end; }                          ///< the id after each document
  std::string hash() const { return manifest_.hash; }  ///< of all ids and the tokenizer
  const Manifest& manifest() const { return manifest_; }

  /// Throws Error if another tokenizer made the corpus. A tokenizer that accepts any ids must have the corpus's size
  /// and end token.
  void require(const Tokenizer& tokenizer) const;

  /// Reads every shard and compares its hash with the manifest. Throws Error on a mismatch.
  void check() const;

 private:
  std::filesystem::path folder_;
  Manifest manifest_;
  Part train_, validation_;
};

}  // namespace rfs
