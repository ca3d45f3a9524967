#include "rfs/run/trained.h"

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/model/decoder.h"

namespace rfs {

void require_trained(const Run& run, const std::string& what) {
  if (run.trained()) return;
  throw Error(rfs::format("{}: this run is not trained yet; train it before {}", run.folder().string(), what));
}

Run trained_run(const std::string& folder, const std::string& what) {
  const auto runs = find_runs(folder);
  if (runs.size() != 1) throw Error(rfs::format("{}: must be one run, got {}", folder, runs.size()));
  require_trained(runs.front(), what);
  return runs.front();
}

void require_same_ids(const Tokenizer& tokenizer, const std::string& use, const Decoder& decoder,
                      const std::string& path) {
  if (tokenizer.size() == decoder.vocabulary()) return;
  throw Error(rfs::format("{}: the tokenizer must have the model's {} ids, got {} with {}", path, decoder.vocabulary(),
                          use, tokenizer.size()));
}

}  // namespace rfs
