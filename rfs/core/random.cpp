#include "rfs/core/random.h"

#include <cmath>
#include <numbers>

#include "rfs/arithmetic/draws.h"
#include "rfs/arithmetic/philox.h"

namespace rfs {
namespace {

uint64_t mix(uint64_t x) {  // the finaliser of SplitMix64
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

}  // namespace

std::array<uint32_t, 4> philox(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key) {
  const Words4 words = philox_words({counter[0], counter[1], counter[2], counter[3]}, uint64_t{key[1]} << 32 | key[0]);
  return {words.x, words.y, words.z, words.w};
}

uint64_t stream_key(uint64_t seed, std::string_view purpose) {
  uint64_t hash = 0xcbf29ce484222325ULL;  // FNV-1a over the name, then mixed with the seed
  for (const char c : purpose) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return mix(hash ^ mix(seed));
}

uint32_t Stream::bits() {
  if (left_ == 0) {
    const Words4 words = stream_words(key_, index_, block_++);
    words_ = {words.x, words.y, words.z, words.w};
    left_ = 4;
  }
  return words_[static_cast<size_t>(4 - left_--)];
}

double Stream::uniform() {
  const uint32_t first = bits(), second = bits();
  return uniform_of(first, second);
}

double Stream::exponential() {
  return exponential_of(uniform());
}

double Stream::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  const double radius = std::sqrt(2 * exponential());
  const double angle = 2 * std::numbers::pi * uniform();
  spare_ = radius * std::sin(angle);
  has_spare_ = true;
  return radius * std::cos(angle);
}

uint64_t Stream::below(uint64_t n) {
  const uint64_t reject = (0 - n) % n;  // 2^64 mod n: rejecting draws below it removes the modulo bias
  for (;;) {
    const uint64_t draw = (uint64_t{bits()} << 32) | bits();
    if (draw >= reject) return draw % n;
  }
}

}  // namespace rfs
