#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "rfs/core/random.h"

namespace rfs {

/// The facts about a model that its methods (encodings, attention rules) may use.
struct ModelShape {
  int64_t layers = 0, width = 0, heads = 0, head_width = 0;
  int64_t trained_length = 0;  ///< n_tr, tokens in the longest training row
  int64_t window = 0;          ///< number of tokens a query attends to; 0: all

  /// Number of keys that the i-th token's query attends to; i counts from 1.
  int64_t keys_seen(int64_t i) const { return window > 0 && window < i ? window : i; }
};

/// A tensor that a method learns: its name within the method, and how each element's initial value is drawn.
struct LearnedTensor {
  std::string name;
  std::vector<int64_t> shape;
  std::function<double(Stream&)> initial;
  bool decays = false;  ///< weight decay applies to it
};

}  // namespace rfs
