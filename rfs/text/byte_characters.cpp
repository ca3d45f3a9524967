#include "rfs/text/byte_characters.h"

namespace rfs {

ByteCharacters::ByteCharacters() {
  const auto utf8 = [](unsigned code) {
    if (code < 0x80) return std::string(1, static_cast<char>(code));
    return std::string{static_cast<char>(0xc0 | code >> 6), static_cast<char>(0x80 | (code & 0x3f))};
  };
  unsigned next = 0x100;
  for (unsigned byte = 0; byte < 256; ++byte) {
    const bool itself = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
    characters_[byte] = utf8(itself ? byte : next++);
    byte_of_[characters_[byte]] = static_cast<char>(byte);
  }
}

std::optional<std::string> ByteCharacters::bytes(std::string_view token) const {
  std::string bytes;
  for (size_t i = 0; i < token.size();) {
    const size_t length = static_cast<unsigned char>(token[i]) < 0x80 ? 1 : 2;
    const auto byte = byte_of_.find(std::string(token.substr(i, length)));
    if (byte == byte_of_.end()) return std::nullopt;
    bytes += byte->second;
    i += length;
  }
  return bytes;
}

}  // namespace rfs
