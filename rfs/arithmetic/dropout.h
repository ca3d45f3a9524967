#pragma once

#include "rfs/arithmetic/philox.h"

namespace rfs {

/// Random bits for elements 8 * block to 8 * block + 7 of one sample at one dropout site, 16 bits per element.
RFS_BOTH Words4 dropout_bits(uint64_t key, uint64_t sample, uint32_t site, uint64_t block) {
  return philox_words({static_cast<uint32_t>(block), static_cast<uint32_t>(block >> 32) ^ (site << 8),
                       static_cast<uint32_t>(sample), static_cast<uint32_t>(sample >> 32)},
                      key);
}

/// Index of the attention weight of query i and key j in a row of n tokens. Keys are permuted within each group of 32.
/// In a GPU's matrix fragments, one thread holds keys j and j + 1, and these plus 8, 16 and 24. The permutation gives
/// these eight keys the same Philox call.
RFS_BOTH uint64_t attention_dropout_index(uint64_t head, uint64_t n, uint64_t i, uint64_t j) {
  return (head * n + i) * ((n + 31) / 32 * 32) + j / 32 * 32 + j % 8 / 2 * 8 + j / 8 % 4 * 2 + j % 2;
}

}  // namespace rfs
