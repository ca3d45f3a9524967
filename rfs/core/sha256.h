#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace rfs {

/// SHA-256 (FIPS 180-4) of bytes that are added in pieces.
class Sha256 {
 public:
  Sha256& add(std::string_view bytes);
  std::array<uint8_t, 32> digest() const;  ///< of the bytes added so far
  std::string hex() const;                 ///< in hexadecimal, as sha256sum prints it

 private:
  void take(const uint8_t* block);

  std::array<uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<uint8_t, 64> block_{};
  uint64_t size_ = 0;
};

/// The hash of a whole file, in hexadecimal. Throws Error if the file cannot be read.
std::string file_sha256(const std::filesystem::path& path);

}  // namespace rfs
