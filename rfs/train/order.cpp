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
  const uint64_t pass = static_cast<uint64_t>(t) / network_.examples;
  const auto round = [&](uint32_t number, uint64_t half, uint32_t bits) {
    const auto words =
        philox({static_cast<uint32_t>(half), number, static_cast<uint32_t>(pass), static_cast<uint32_t>(pass >> 32)},
               {static_cast<uint32_t>(network_.key), static_cast<uint32_t>(network_.key >> 32)});
    return words[0] & ((uint64_t{1} << bits) - 1);
  };
  uint64_t x = static_cast<uint64_t>(t) % network_.examples;
  do {
    uint64_t low = x & ((uint64_t{1} << network_.low_bits) - 1), high = x >> network_.low_bits;
    for (uint32_t number = 0; number < 6; number += 2) {
      high ^= round(number, low, network_.high_bits);
      low ^= round(number + 1, high, network_.low_bits);
    }
    x = high << network_.low_bits | low;
  } while (x >= network_.examples);
  return static_cast<int64_t>(x);
}

}  // namespace rfs
