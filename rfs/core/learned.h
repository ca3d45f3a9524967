#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "rfs/core/random.h"

namespace rfs {

/// What a method may know about the model it is part of.
struct ModelShape {
  int64_t layers = 0, width = 0, heads = 0, head_width = 0;
  int64_t trained_length = 0;  ///< n_tr, tokens of the longest training row
  int64_t window = 0;          ///< tokens that a query sees; 0 for all

  /// Keys that the query of the i-th token of a row sees, counted from 1.
  int64_t keys_seen(int64_t i) const { return window > 0 && window < i ? window : i; }
};

/// A tensor that a method learns: its name within the method and how its initial values are drawn, element by element.
struct LearnedTensor {
  std::string name;
  std::vector<int64_t> shape;
  std::function<double(Stream&)> initial;
  bool decays = false;  ///< weight decay acts on it
};

}  // namespace rfs
