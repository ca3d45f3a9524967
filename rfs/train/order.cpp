#include "rfs/train/order.h"

#include <bit>

#include "rfs/core/random.h"

namespace rfs {

Order::Order(int64_t examples, uint64_t seed) {
  const auto count = static_cast<uint64_t>(examples);
  const auto bits = static_cast<uint32_t>(std::bit_width(count - 1));
  network_ = {count, stream_key(seed, "order"), bits / 2, bits - bits / 2};
}

int64_t Order::operator()(int64_t t) const {
  return static_cast<int64_t>(example_of(network_, static_cast<uint64_t>(t)));
}

}  // namespace rfs
