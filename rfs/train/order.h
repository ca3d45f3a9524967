#pragma once

#include <cstdint>

#include "rfs/arithmetic/order.h"

namespace rfs {

/// Maps the t-th training sequence to an example. Each epoch visits every example once, in a different order. It is a
/// pure function of (seed, t) without a table, so a GPU can compute it, too. It is a six-round Feistel network over the
/// next power of two, with round functions drawn from the stream "order". It is applied again while the result is not a
/// valid example.
class Order {
 public:
  Order(int64_t examples, uint64_t seed);

  int64_t operator()(int64_t t) const;

  /// The parameters of the function, for a GPU.
  const OrderNetwork& network() const { return network_; }

 private:
  OrderNetwork network_;
};

}  // namespace rfs
