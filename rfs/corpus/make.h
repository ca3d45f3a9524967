#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "rfs/corpus/manifest.h"
#include "rfs/text/tokenizer.h"

namespace rfs {

/// Progress of a corpus build.
struct CorpusProgress {
  int64_t packed = 0;                ///< bytes read from source files
  int64_t packed_all = 0;            ///< total bytes of source files
  int64_t bytes = 0, documents = 0;  ///< tokenized so far
  int64_t tokens = 0;
};

struct CorpusWork {
  int threads = 1;
  Provenance provenance = {};
  std::function<bool()> stopped = [] { return false; };
  std::function<void(const CorpusProgress&)> progress = [](const CorpusProgress&) {};
  /// Called for each document that is skipped because it is broken.
  std::function<void(const std::string& reason)> broken = [](const std::string&) {};
};

/// Tokenizes documents into a corpus in `folder`. Each document is followed by the end token. A hash of text and seed
/// selects the documents of the validation split. The written bytes depend only on the plan and the sources, not on the
/// number of threads or interruptions. An unfinished corpus with the same plan resumes from its last saved state; a
/// finished one is left as it is. Returns the manifest, or nothing if `stopped` returned true; work done so far is
/// kept. Throws Error.
std::optional<Manifest> make_corpus(const std::filesystem::path& folder, const CorpusPlan& plan,
                                    const Tokenizer& tokenizer, const CorpusWork& work);

}  // namespace rfs
