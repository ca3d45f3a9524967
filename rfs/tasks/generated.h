#pragma once

#include <functional>
#include <string>

#include "rfs/core/random.h"
#include "rfs/tasks/task.h"

namespace rfs {

/// Options of tasks that generate their samples. A bin is a length or, for addition, a pair of lengths.
struct GeneratedOptions : Options {
  GeneratedOptions(int64_t validation_each, int64_t test_each);

  Field<int64_t> train_samples;
  Field<int64_t> validation_samples;
  Field<int64_t> test_samples;
  Field<int64_t> seed;
};

/// How to generate one split.
struct Bins {
  int64_t count = 0;
  std::function<Sample(Stream&, int64_t bin)> draw;
  /// The number of different samples in a bin, as far as known; if some are more likely than others, 1 / the
  /// probability of the most likely one.
  std::function<double(int64_t bin)> different;
};

/// Generates a split with samples spread evenly over its bins; each sample has its own random stream. Training excludes
/// validation samples (which come from the same bins) in every bin that is large enough: it has at least four times as
/// many different samples as validation takes. Throws Error if training has fewer samples than bins, or
/// finds none that validation does not have.
std::vector<Sample> spread(const GeneratedOptions& options, Split split, const Bins& bins);

/// Options of a task whose bins are lengths. `items` names what the length counts: "words".
struct LengthOptions : GeneratedOptions {
  using Lengths = std::vector<int64_t>;  ///< [first, last]
  LengthOptions(int64_t validation_each, int64_t test_each, Lengths train, Lengths test, const std::string& items,
                int64_t step = 1, int64_t factor = 1);

  Field<Lengths> train_lengths;
  Field<Lengths> test_lengths;
  Field<int64_t> test_step;
  Field<int64_t> test_factor;

  /// The lengths of a split, ascending. In training and validation these are all trained lengths. Test lengths form a
  /// grid: the length after n is n + test_step or n * test_factor, whichever is larger. The grid ends with the last
  /// test length.
  Lengths lengths(Split split) const;

  /// Throws Error if a test length is not above all trained lengths.
  void require_longer_tests() const;
};

/// `spread` over the split's lengths.
std::vector<Sample> spread_lengths(const LengthOptions& options, Split split,
                                   const std::function<Sample(Stream&, int64_t length)>& draw,
                                   const std::function<double(int64_t length)>& different);

}  // namespace rfs
