#include "rfs/text/unicode.h"

#include <algorithm>

#include "rfs/text/letter_case.h"

namespace rfs {
namespace {

/// Number of bytes in the UTF-8 sequence that starts with this byte; 0 if no sequence starts with it.
size_t sequence_size(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

/// The first code point of a valid UTF-8 text, and its number of bytes.
std::pair<uint32_t, size_t> decoded(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint32_t>(static_cast<unsigned char>(text[i])); };
  const size_t size = std::clamp<size_t>(sequence_size(static_cast<unsigned char>(text[0])), 1, text.size());
  constexpr uint32_t mask[] = {0x7f, 0x1f, 0x0f, 0x07};
  uint32_t code = byte(0) & mask[size - 1];
  for (size_t i = 1; i < size; ++i) code = code << 6 | (byte(i) & 0x3f);
  return {code, size};
}

bool is_space(uint32_t c) {
  return (c >= 9 && c <= 0xd) || (c >= 0x1c && c <= 0x20) || c == 0x85 || c == 0xa0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

bool continues(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0) == 0x80;
}

}  // namespace

std::optional<size_t> first_broken_byte(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const size_t size = sequence_size(static_cast<unsigned char>(text[at]));
    if (size == 0 || at + size > text.size()) return at;
    for (size_t i = 1; i < size; ++i) {
      if (!continues(text[at + i])) return at;
    }
    const auto [code, bytes] = decoded(text.substr(at));
    const bool overlong = (size == 3 && code < 0x800) || (size == 4 && code < 0x10000);
    if (overlong || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return at;
    at += size;
  }
  return std::nullopt;
}

std::optional<uint32_t> next_code_point(std::string_view text, size_t& at) {
  const size_t size = sequence_size(static_cast<unsigned char>(text[at]));
  if (size == 0 || at + size > text.size() || first_broken_byte(text.substr(at, size))) {
    ++at;
    return std::nullopt;
  }
  const uint32_t code = decoded(text.substr(at, size)).first;
  at += size;
  return code;
}

void append_utf8(uint32_t code, std::string& text) {
  const auto tail = [&](int shift) { text += static_cast<char>(0x80 | (code >> shift & 0x3f)); };
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xc0 | code >> 6), tail(0);
  } else if (code < 0x10000) {
    text += static_cast<char>(0xe0 | code >> 12), tail(6), tail(0);
  } else {
    text += static_cast<char>(0xf0 | code >> 18), tail(12), tail(6), tail(0);
  }
}

int64_t code_points(std::string_view text) {
  return std::count_if(text.begin(), text.end(), [](char byte) { return !continues(byte); });
}

std::string_view right_stripped(std::string_view text) {
  while (!text.empty()) {
    size_t at = text.size() - 1;
    while (at > 0 && continues(text[at])) --at;
    if (!is_space(decoded(text.substr(at)).first)) break;
    text = text.substr(0, at);
  }
  return text;
}

std::string_view stripped(std::string_view text) {
  text = right_stripped(text);
  while (!text.empty()) {
    const auto [code, size] = decoded(text);
    if (!is_space(code)) break;
    text = text.substr(size);
  }
  return text;
}

std::string capitalized(std::string_view text) {
  std::string result;
  for (size_t at = 0; at < text.size();) {
    const auto [code, size] = decoded(text.substr(at));
    append_utf8(at == 0 ? title_case(code) : lower_case(code), result);
    at += size;
  }
  return result;
}

}  // namespace rfs
