#pragma once

#include "rfs/arithmetic/philox.h"

namespace rfs {

/// A Feistel network over the numbers below `examples`. It gives a different permutation for each epoch.
struct OrderNetwork {
  uint64_t examples = 0, key = 0;
  uint32_t low_bits = 0, high_bits = 0;
};

/// The example at index t of the training order.
RFS_BOTH uint64_t example_of(const OrderNetwork& order, uint64_t t) {
  const uint64_t pass = t / order.examples;
  const auto round = [&](uint32_t number, uint64_t half, uint32_t bits) {
    const Words4 words = philox_words(
        {static_cast<uint32_t>(half), number, static_cast<uint32_t>(pass), static_cast<uint32_t>(pass >> 32)},
        order.key);
    return words.x & ((uint64_t{1} << bits) - 1);
  };
  uint64_t x = t % order.examples;
  do {
    uint64_t low = x & ((uint64_t{1} << order.low_bits) - 1), high = x >> order.low_bits;
    for (uint32_t number = 0; number < 6; number += 2) {
      high ^= round(number, low, order.high_bits);
      low ^= round(number + 1, high, order.low_bits);
    }
    x = high << order.low_bits | low;
  } while (x >= order.examples);
  return x;
}

}  // namespace rfs
