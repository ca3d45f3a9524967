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

/// Opens a shard of a folder. Throws Error where it is not what the manifest's record says.
Shard open_shard(const std::filesystem::path& folder, const Manifest::Shard& record, int64_t width);

/// A corpus as tokens: a folder that `rfs corpus make` wrote, its shards mapped into memory. Copies share the maps.
/// docs/formats.md has the layout.
class Corpus {
 public:
  /// One split as a stream of ids: its documents one after another, each with its end token.
  class Part {
   public:
    int64_t tokens() const { return tokens_; }
    int64_t documents() const { return documents_; }

    /// The stream's ids from `first` on, across shards. Throws std::out_of_range beyond the stream, and Error for an
    /// id outside the vocabulary. Threads may read at the same time.
    void read(int64_t first, std::span<int32_t> to) const;

    /// Where a document begins and ends in the stream, its end token included. Throws std::out_of_range.
    std::pair<int64_t, int64_t> document(int64_t index) const;

    std::pair<int64_t, int64_t> longest() const;  ///< the (first) longest document; {0, 0} where there is none

   private:
    friend class Corpus;
    struct Piece {
      Shard shard;
      int64_t first_token = 0, first_document = 0;
    };
    std::vector<Piece> pieces_;
    int64_t tokens_ = 0, documents_ = 0, vocabulary_ = 0;
  };

  /// Opens and checks it: the manifest, and every shard's header, size and document ends. Throws Error: no corpus or an
  /// unfinished one, another format version, a shard missing, cut short or of another corpus.
  explicit Corpus(const std::filesystem::path& folder);

  const Part& train() const { return train_; }
  const Part& validation() const { return validation_; }

  std::string tokenizer_settings() const { return manifest_.plan.tokenizer.settings; }  ///< its table as TOML
  int64_t vocabulary() const { return manifest_.plan.tokenizer.vocabulary; }            ///< number of ids
  int32_t end() const { return manifest_.plan.tokenizer.end; }                          ///< the id after each document
  std::string hash() const { return manifest_.hash; }  ///< of all ids and the tokenizer, not of how they came about
  const Manifest& manifest() const { return manifest_; }

  /// Throws Error where the corpus was made by another tokenizer. One that takes any ids must have its ids and end.
  void require(const Tokenizer& tokenizer) const;

  /// Reads every shard and compares its hash with the manifest's. Throws Error.
  void check() const;

 private:
  std::filesystem::path folder_;
  Manifest manifest_;
  Part train_, validation_;
};

}  // namespace rfs
