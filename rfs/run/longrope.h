#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "rfs/eval/factor_search.h"
#include "rfs/records/run.h"
#include "rfs/run/events.h"

namespace rfs {

/// What to search LongRoPE's factors for.
struct LongRopeRequest {
  FactorSearch search;
  int64_t texts = 8;  ///< texts of the training split that the loss is measured on
};

/// The result of a search.
struct LongRopeFactors {
  /// A scaling of RoPE's frequencies and the mean loss with it.
  struct Scaling {
    std::string name;
    double loss = 0;
  };
  std::vector<double> factors;
  std::vector<Scaling> scalings;  ///< of the search's starts and then of the factors found
  int64_t texts = 0;              ///< number of the texts that the losses are of
  int64_t tokens = 0;             ///< their length
  std::filesystem::path file;     ///< settings with the factors: [encoding] as TOML
};

/// Searches the factors with which a language model with RoPE has the smallest loss on texts that are
/// `search.extension` times as long as its training rows. Writes them to longrope-EXTENSION.toml in the run's folder.
/// If stopped, it returns nothing. The next call with the same request continues, even if the process was killed.
/// Throws Error.
std::optional<LongRopeFactors> find_longrope_factors(const Run& run, const LongRopeRequest& request,
                                                     const RunContext& context = {});

}  // namespace rfs
