#include "rfs/eval/factor_search.h"

#include <algorithm>
#include <cmath>

#include "rfs/core/random.h"

namespace rfs {
namespace {

constexpr double changed_share = 0.3;   // of the factors, in a mutation
constexpr double largest_share = 1.25;  // the largest factor, over the extension

class Members {
 public:
  explicit Members(const FactorSearch& search)
      : search_(search),
        stream_(search.seed, "factor search"),
        steps_(static_cast<int64_t>(std::floor((largest_share * search.extension - 1) / FactorSearch::step + 1e-9))) {}

  /// The nearest allowed factors that never fall.
  std::vector<double> allowed(std::vector<double> factors) const {
    double lowest = 1;
    for (double& factor : factors) {
      const auto nearest = static_cast<int64_t>(std::llround((factor - 1) / FactorSearch::step));
      lowest = factor = std::max(lowest, number(std::clamp<int64_t>(nearest, 0, steps_)));
    }
    return factors;
  }

  /// Draws some of the factors again, each between its neighbours.
  std::vector<double> mutated(std::vector<double> factors) {
    for (size_t i = 0; i < factors.size(); ++i) {
      if (stream_.uniform() >= changed_share) continue;
      const int64_t low = i == 0 ? 0 : step_of(factors[i - 1]);
      const int64_t high = i + 1 == factors.size() ? steps_ : step_of(factors[i + 1]);
      factors[i] = number(low + below(high - low + 1));
    }
    return factors;
  }

  /// Takes each factor from one of two parents. Sorting them keeps the factors and makes them never fall.
  std::vector<double> crossed(const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<double> factors;
    for (size_t i = 0; i < a.size(); ++i) factors.push_back(stream_.bits() & 1 ? a[i] : b[i]);
    std::sort(factors.begin(), factors.end());
    return factors;
  }

  int64_t below(int64_t n) { return static_cast<int64_t>(stream_.below(static_cast<uint64_t>(n))); }

 private:
  double number(int64_t step) const { return 1 + static_cast<double>(step) * FactorSearch::step; }
  int64_t step_of(double factor) const { return std::llround((factor - 1) / FactorSearch::step); }

  const FactorSearch& search_;
  Stream stream_;
  int64_t steps_;
};

}  // namespace

FactorsFound search_factors(const FactorSearch& search, const std::vector<std::vector<double>>& starts,
                            const std::function<double(const std::vector<double>&)>& loss) {
  Members members(search);
  std::vector<FactorsFound> found;
  const auto add = [&](std::vector<double> factors) {
    const double its_loss = loss(factors);
    found.push_back({std::move(factors), its_loss});
  };
  const auto better = [](const FactorsFound& a, const FactorsFound& b) {
    return a.loss < b.loss || (!std::isnan(a.loss) && std::isnan(b.loss));
  };

  for (const auto& start : starts) add(members.allowed(start));
  for (size_t i = 0; static_cast<int64_t>(found.size()) < FactorSearch::population; ++i) {
    add(members.mutated(found[i % starts.size()].factors));
  }
  for (int64_t round = 0; round < search.rounds; ++round) {
    std::stable_sort(found.begin(), found.end(), better);
    found.resize(std::min(found.size(), static_cast<size_t>(FactorSearch::parents)));
    const auto parents = static_cast<int64_t>(found.size());
    const auto parent = [&]() -> const std::vector<double>& {
      return found[static_cast<size_t>(members.below(parents))].factors;
    };
    for (int64_t i = 0; i < FactorSearch::mutations; ++i) add(members.mutated(parent()));
    for (int64_t i = 0; i < FactorSearch::crossovers; ++i) {
      const auto &first = parent(), &second = parent();
      add(members.crossed(first, second));
    }
  }
  return *std::min_element(found.begin(), found.end(), better);
}

}  // namespace rfs
