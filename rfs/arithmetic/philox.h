#pragma once

#include <cstdint>

#include "rfs/arithmetic/both.h"

namespace rfs {

struct Words4 {
  uint32_t x, y, z, w;
};

/// Philox4x32-10 (Salmon et al. 2011): four random words as a pure function of a counter and a key.
RFS_BOTH Words4 philox_words(Words4 counter, uint64_t key) {
  uint32_t low = static_cast<uint32_t>(key), high = static_cast<uint32_t>(key >> 32);
  RFS_UNROLL
  for (int round = 0; round < 10; ++round) {
    const uint64_t a = uint64_t{0xD2511F53} * counter.x, b = uint64_t{0xCD9E8D57} * counter.z;
    counter = {static_cast<uint32_t>(b >> 32) ^ counter.y ^ low, static_cast<uint32_t>(b),
               static_cast<uint32_t>(a >> 32) ^ counter.w ^ high, static_cast<uint32_t>(a)};
    low += 0x9E3779B9;
    high += 0xBB67AE85;
  }
  return counter;
}

/// The words of block `block` of the stream (key, index).
RFS_BOTH Words4 stream_words(uint64_t key, uint64_t index, uint64_t block) {
  return philox_words({static_cast<uint32_t>(block), static_cast<uint32_t>(block >> 32), static_cast<uint32_t>(index),
                       static_cast<uint32_t>(index >> 32)},
                      key);
}

/// Combines two words into a number in [0, 1) with 53 random bits.
RFS_BOTH double uniform_of(uint32_t first, uint32_t second) {
  const uint64_t high = first >> 5, low = second >> 6;  // 27 + 26 bits
  return static_cast<double>((high << 26) | low) * 0x1p-53;
}

}  // namespace rfs
