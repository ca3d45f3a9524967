#pragma once

#include <cstdint>

#include "rfs/arithmetic/order.h"

namespace rfs {

/// Which example the t-th trained sequence is: each pass over the data visits every example once, in an order of its
/// own. A pure function of (seed, t) that needs no table, so that a GPU can compute it too: a Feistel network of six
/// rounds over the next power of two, its round function drawn from the stream "order", applied again while it
/// leaves the examples.
class Order {
 public:
  Order(int64_t examples, uint64_t seed);

  int64_t operator()(int64_t t) const;

  /// What the function is made of, for a GPU.
  const OrderNetwork& network() const { return network_; }

 private:
  OrderNetwork network_;
};

}  // namespace rfs
