#pragma once

// Checks the patterns of rfs::format at compile time.

#include <cstddef>
#include <span>
#include <string_view>

namespace rfs {

enum class FormatKind { boolean, character, integer, number, text };

/// Checks a pattern at compile time: a `throw` here becomes a compiler error that shows the text.
constexpr void check_format(std::string_view pattern, std::span<const FormatKind> kinds) {
  size_t next = 0;
  bool numbered = false;
  // Returns the kind of the argument that the field at pattern[i] refers to; moves i past the number.
  const auto field = [&](size_t& i) {
    size_t number = 0;
    bool given = false;
    for (; i < pattern.size() && pattern[i] >= '0' && pattern[i] <= '9'; ++i) {
      number = number * 10 + static_cast<size_t>(pattern[i] - '0');
      given = true;
    }
    if (!given) number = next++;
    numbered = numbered || given;
    if (numbered && next > 0) throw "format: numbered and unnumbered fields mixed";
    if (number >= kinds.size()) throw "format: fewer arguments than fields";
    return kinds[number];
  };
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '}') {
      if (++i == pattern.size() || pattern[i] != '}') throw "format: unmatched '}'";
      continue;
    }
    if (pattern[i] != '{') continue;
    if (++i < pattern.size() && pattern[i] == '{') continue;
    const FormatKind kind = field(i);
    char last = ':';
    bool precision = false;
    for (; i < pattern.size() && pattern[i] != '}'; ++i) {
      if (pattern[i] == '{') {  // a width or precision given by an argument
        if (field(++i) != FormatKind::integer || i == pattern.size() || pattern[i] != '}')
          throw "format: widths must be integers";
        last = ':';
        continue;
      }
      precision = precision || pattern[i] == '.';
      last = pattern[i];
    }
    if (i == pattern.size()) throw "format: unmatched '{'";
    const bool number_type = std::string_view("aAeEfFgG").find(last) != std::string_view::npos;
    const bool integer_type = std::string_view("bBcdoxX").find(last) != std::string_view::npos;
    if (number_type && kind != FormatKind::number) throw "format: float type for an argument that is not a float";
    if (integer_type && (kind == FormatKind::number || kind == FormatKind::text))
      throw "format: integer type for an argument that is not an integer";
    if (precision && kind != FormatKind::number && kind != FormatKind::text)
      throw "format: precision for an integer argument";
  }
}

}  // namespace rfs
