#pragma once

#include <functional>
#include <string>

#include "rfs/core/random.h"
#include "rfs/tasks/task.h"

namespace rfs {

/// Options of every task whose samples are made, not read. A bin is a length, or for addition a pair of lengths.
struct GeneratedOptions : Options {
  GeneratedOptions(int64_t validation_each, int64_t test_each);

  Field<int64_t> train_samples;
  Field<int64_t> validation_samples;
  Field<int64_t> test_samples;
  Field<int64_t> seed;
};

/// How one split of a generated task is made.
struct Bins {
  int64_t count = 0;
  std::function<Sample(Stream&, int64_t bin)> draw;
  /// How many different samples a bin has, as far as known.
  std::function<double(int64_t bin)> different;
};

/// Makes a split, spread evenly over its bins: each sample from a stream of its own. Training leaves out what
/// validation (made of the same bins) holds in every bin with room for it: at least four times as many different
/// samples as validation takes. Throws Error where training has fewer samples than bins.
std::vector<Sample> spread(const GeneratedOptions& options, Split split, const Bins& bins);

/// Options of a task whose bins are lengths. `items` names what is counted: "words".
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

  /// Throws Error where test lengths do not begin above the trained ones.
  void require_longer_tests() const;
};

/// `spread` over the split's lengths.
std::vector<Sample> spread_lengths(const LengthOptions& options, Split split,
                                   const std::function<Sample(Stream&, int64_t length)>& draw,
                                   const std::function<double(int64_t length)>& different);

}  // namespace rfs
