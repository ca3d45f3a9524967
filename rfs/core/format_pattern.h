#pragma once

// The compile-time check of rfs::format's patterns.

#include <cstddef>
#include <span>
#include <string_view>

namespace rfs {

enum class FormatKind { boolean, character, integer, number, text };

/// Compile-time check of a pattern: a `throw` here is a compiler error that shows the text.
constexpr void check_format(std::string_view pattern, std::span<const FormatKind> kinds) {
  size_t next = 0;
  bool numbered = false;
  const auto field = [&](size_t& i) {  // the argument that the field at pattern[i] names; moves i behind the number
    size_t number = 0;
    bool given = false;
    for (; i < pattern.size() && pattern[i] >= '0' && pattern[i] <= '9'; ++i) {
      number = number * 10 + static_cast<size_t>(pattern[i] - '0');
      given = true;
    }
    if (!given) number = next++;
    numbered = numbered || given;
    if (numbered && next > 0) throw "format: numbered fields beside others";
    if (number >= kinds.size()) throw "format: fewer arguments than fields";
    return kinds[number];
  };
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '}') {
      if (++i == pattern.size() || pattern[i] != '}') throw "format: a single '}'";
      continue;
    }
    if (pattern[i] != '{') continue;
    if (++i < pattern.size() && pattern[i] == '{') continue;
    const FormatKind kind = field(i);
    char last = ':';
    bool precision = false;
    for (; i < pattern.size() && pattern[i] != '}'; ++i) {
      if (pattern[i] == '{') {  // a width or precision that is an argument
        if (field(++i) != FormatKind::integer || i == pattern.size() || pattern[i] != '}')
          throw "format: widths are integers";
        last = ':';
        continue;
      }
      precision = precision || pattern[i] == '.';
      last = pattern[i];
    }
    if (i == pattern.size()) throw "format: a '{' without '}'";
    const bool number_type = std::string_view("aAeEfFgG").find(last) != std::string_view::npos;
    const bool integer_type = std::string_view("bBcdoxX").find(last) != std::string_view::npos;
    if (number_type && kind != FormatKind::number) throw "format: a type for floats with another argument";
    if (integer_type && (kind == FormatKind::number || kind == FormatKind::text))
      throw "format: a type for integers with another";
    if (precision && kind != FormatKind::number && kind != FormatKind::text) throw "format: a precision for an integer";
  }
}

}  // namespace rfs
