#pragma once

#include <cstdint>
#include <vector>

namespace rfs {

/// Which example the t-th trained sequence is: each pass over the data visits every example once, in an order of its
/// own drawn from the stream "order". A pure function of (seed, t).
class Order {
 public:
  Order(int64_t examples, uint64_t seed) : examples_(examples), seed_(seed) {}

  int64_t operator()(int64_t t);

 private:
  int64_t examples_;
  uint64_t seed_;
  int64_t pass_ = -1;
  std::vector<int64_t> permutation_;
};

}  // namespace rfs
