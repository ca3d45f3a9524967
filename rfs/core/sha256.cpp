#include "rfs/core/sha256.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "rfs/core/files.h"
#include "rfs/core/format.h"

namespace rfs {
namespace {

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<uint32_t, 64> constants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

}  // namespace

Sha256& Sha256::add(std::string_view bytes) {
  const auto* from = reinterpret_cast<const uint8_t*>(bytes.data());
  for (size_t left = bytes.size(); left > 0;) {
    const size_t filled = size_ % 64, count = std::min(left, 64 - filled);
    if (count == 64) {
      take(from);
    } else {
      std::memcpy(block_.data() + filled, from, count);
      if (filled + count == 64) take(block_.data());
    }
    size_ += count;
    from += count;
    left -= count;
  }
  return *this;
}

std::array<uint8_t, 32> Sha256::digest() const {
  Sha256 rest = *this;
  std::string end(1, '\x80');
  end.resize(1 + (119 - size_ % 64) % 64);
  for (int shift = 56; shift >= 0; shift -= 8) end += static_cast<char>(8 * size_ >> shift);
  rest.add(end);
  std::array<uint8_t, 32> bytes;
  for (size_t i = 0; i < 32; ++i) bytes[i] = static_cast<uint8_t>(rest.state_[i / 4] >> (24 - i % 4 * 8));
  return bytes;
}

std::string Sha256::hex() const {
  std::string text;
  for (const uint8_t byte : digest()) text += rfs::format("{:02x}", byte);
  return text;
}

void Sha256::take(const uint8_t* block) {
  std::array<uint32_t, 64> w;
  for (size_t i = 0; i < 16; ++i) {
    w[i] = uint32_t{block[4 * i]} << 24 | uint32_t{block[4 * i + 1]} << 16 | uint32_t{block[4 * i + 2]} << 8 |
           uint32_t{block[4 * i + 3]};
  }
  for (size_t i = 16; i < 64; ++i) {
    const uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) + w[i - 7] +
           (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
  }
  auto [a, b, c, d, e, f, g, h] = state_;
  for (size_t i = 0; i < 64; ++i) {
    const uint32_t s =
        h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g)) + constants[i] + w[i];
    const uint32_t t = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + s, d = c, c = b, b = a, a = s + t;
  }
  const std::array<uint32_t, 8> added = {a, b, c, d, e, f, g, h};
  for (size_t i = 0; i < 8; ++i) state_[i] += added[i];
}

std::string file_sha256(const std::filesystem::path& path) {
  return Sha256().add(read_file(path)).hex();
}

}  // namespace rfs
