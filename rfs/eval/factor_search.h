#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace rfs {

/// LongRoPE's search (Ding et al. 2024) for the numbers that divide RoPE's frequencies: one factor for each pair of
/// dims, between 1 and 1.25 times the extension, that never falls towards slower pairs. The numbers are the authors'.
struct FactorSearch {
  double extension = 4;  ///< s: input length over trained length
  int64_t rounds = 40;
  uint64_t seed = 1;

  static constexpr int64_t population = 64;  ///< members of the first round
  static constexpr int64_t parents = 32;     ///< the best members of a round, which the next round keeps
  static constexpr int64_t mutations = 16;   ///< new members of a round that change about a third of a parent's factors
  static constexpr int64_t crossovers = 16;  ///< new members of a round that mix two parents
  static constexpr double step = 0.01;       ///< factors are multiples of it above 1

  int64_t evaluations() const { return population + rounds * (mutations + crossovers); }  ///< calls of the loss
};

/// Factors and the loss of the model that uses them. A loss of NaN is worse than any number.
struct FactorsFound {
  std::vector<double> factors;
  double loss = 0;
};

/// The best factors found. The search begins with `starts`, which have the same number of factors, and with mutations
/// of them. It depends only on its arguments, so it can be repeated with losses that are already known.
FactorsFound search_factors(const FactorSearch& search, const std::vector<std::vector<double>>& starts,
                            const std::function<double(const std::vector<double>&)>& loss);

}  // namespace rfs
