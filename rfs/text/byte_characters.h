#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace rfs {

/// Byte-level BPE writes each byte as a printable character: printable bytes as themselves, all others from U+0100 on.
class ByteCharacters {
 public:
  ByteCharacters();
  const std::string& character(unsigned char byte) const { return characters_[byte]; }
  /// The bytes of a token written in those characters; nothing if it has other characters.
  std::optional<std::string> bytes(std::string_view token) const;

 private:
  std::array<std::string, 256> characters_;
  std::unordered_map<std::string, char> byte_of_;
};

}  // namespace rfs
