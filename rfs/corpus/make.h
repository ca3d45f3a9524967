#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "rfs/corpus/manifest.h"
#include "rfs/text/tokenizer.h"

namespace rfs {

/// How far making a corpus has come.
struct CorpusProgress {
  int64_t packed = 0;                ///< bytes of source files that were read
  int64_t packed_all = 0;            ///< bytes of source files
  int64_t bytes = 0, documents = 0;  ///< texts that were written as ids
  int64_t tokens = 0;
};

struct CorpusWork {
  int threads = 1;
  Provenance provenance = {};
  std::function<bool()> stopped = [] { return false; };
  std::function<void(const CorpusProgress&)> progress = [](const CorpusProgress&) {};
  /// Told of each document that is left out because it is broken.
  std::function<void(const std::string& reason)> broken = [](const std::string&) {};
};

/// Makes a corpus in `folder`: documents become ids, each followed by the end token; a share of them, chosen by a hash
/// of text and seed, is the validation split. The bytes written depend on the plan and the sources alone, not on the
/// threads or on how often it was stopped: a folder that holds an unfinished corpus of the same plan is gone on with
/// from its last whole shard. A finished one of the same plan is left as it is. Returns its manifest, or nothing where
/// `stopped` said so; what was done until then is kept. Throws Error.
std::optional<Manifest> make_corpus(const std::filesystem::path& folder, const CorpusPlan& plan,
                                    const Tokenizer& tokenizer, const CorpusWork& work);

}  // namespace rfs
