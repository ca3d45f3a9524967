#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace rfs {

/// Philox4x32-10 (Salmon et al. 2011): four random words as a pure function of a counter and a key.
std::array<uint32_t, 4> philox(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key);

/// The key for a purpose ("positions", "dropout", ...) under a seed. Different purposes have different streams.
uint64_t stream_key(uint64_t seed, std::string_view purpose);

/// A named stream of random numbers: a pure function of (seed, purpose, index). Each sample has its own index, so its
/// draws do not depend on its batch neighbours or the number of devices.
class Stream {
 public:
  Stream(uint64_t seed, std::string_view purpose, uint64_t index = 0) : Stream(stream_key(seed, purpose), index) {}
  Stream(uint64_t key, uint64_t index) : key_(key), index_(index) {}  ///< with a key of stream_key

  uint32_t bits();             ///< 32 random bits
  double uniform();            ///< [0, 1), 53 bits
  double exponential();        ///< mean 1, never 0
  double normal();             ///< mean 0, variance 1
  uint64_t below(uint64_t n);  ///< uniform over 0 .. n - 1, without bias

 private:
  uint64_t key_;
  uint64_t index_;
  uint64_t block_ = 0;
  std::array<uint32_t, 4> words_{};
  int left_ = 0;
  double spare_ = 0;
  bool has_spare_ = false;
};

}  // namespace rfs
