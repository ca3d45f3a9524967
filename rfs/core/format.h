#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

namespace rfs {

/// A value for `format`. Strings are not copied: the argument must outlive the call.
class FormatArgument {
 public:
  using Value = std::variant<bool, char, long long, unsigned long long, float, double, std::string_view>;
  enum class Kind { boolean, character, integer, number, text };

  template <class T>
  static consteval Kind kind() {
    using Plain = std::remove_cvref_t<T>;
    if constexpr (std::same_as<Plain, bool>) {
      return Kind::boolean;
    } else if constexpr (std::same_as<Plain, char>) {
      return Kind::character;
    } else if constexpr (std::integral<Plain>) {
      return Kind::integer;
    } else if constexpr (std::floating_point<Plain>) {
      return Kind::number;
    } else {
      static_assert(std::convertible_to<T, std::string_view>, "format takes numbers and strings");
      return Kind::text;
    }
  }

  template <class T>
  explicit FormatArgument(const T& given) : value(convert(given)) {}

  Value value;

 private:
  template <class T>
  static Value convert(const T& given) {
    if constexpr (std::same_as<T, bool> || std::same_as<T, char> || std::same_as<T, float>) {
      return given;
    } else if constexpr (std::signed_integral<T>) {
      return static_cast<long long>(given);
    } else if constexpr (std::unsigned_integral<T>) {
      return static_cast<unsigned long long>(given);
    } else if constexpr (std::floating_point<T>) {
      return static_cast<double>(given);
    } else {
      return std::string_view(given);
    }
  }
};

namespace detail {

/// Compile-time check of a pattern: a `throw` here is a compiler error that shows the text.
constexpr void check_pattern(std::string_view pattern, std::span<const FormatArgument::Kind> kinds) {
  using Kind = FormatArgument::Kind;
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
    const Kind kind = field(i);
    char last = ':';
    bool precision = false;
    for (; i < pattern.size() && pattern[i] != '}'; ++i) {
      if (pattern[i] == '{') {  // a width or precision that is an argument
        if (field(++i) != Kind::integer || i == pattern.size() || pattern[i] != '}')
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
    if (number_type && kind != Kind::number) throw "format: a type for floats with another argument";
    if (integer_type && (kind == Kind::number || kind == Kind::text)) throw "format: a type for integers with another";
    if (precision && kind != Kind::number && kind != Kind::text) throw "format: a precision for an integer";
  }
}

}  // namespace detail

template <class... Arguments>
struct FormatPattern {
  // NOLINTNEXTLINE(google-explicit-constructor): a string literal becomes one.
  consteval FormatPattern(const char* pattern) : text(pattern) {
    constexpr std::array<FormatArgument::Kind, sizeof...(Arguments)> kinds{FormatArgument::kind<Arguments>()...};
    detail::check_pattern(pattern, kinds);
  }
  std::string_view text;
};

std::string format_arguments(std::string_view pattern, std::span<const FormatArgument> arguments);

/// A text with values in it, as std::format makes it: rfs::format("{} of {:.1f}", name, share). The pattern is checked
/// by the compiler. The work is done in format.cpp, so that {fmt}'s templates are compiled once and not in each file.
/// Call it as rfs::format: without the namespace, std::format would be looked at too.
template <class... Arguments>
std::string format(FormatPattern<std::type_identity_t<Arguments>...> pattern, const Arguments&... arguments) {
  const std::array<FormatArgument, sizeof...(Arguments)> values{FormatArgument(arguments)...};
  return format_arguments(pattern.text, values);
}

/// The values of a range as text, one after the other: "1, 2, 3".
template <class Range>
std::string joined(const Range& values, std::string_view separator) {
  std::string text;
  bool first = true;
  for (const auto& value : values) {
    if (!first) text += separator;
    first = false;
    text += rfs::format("{}", value);
  }
  return text;
}

}  // namespace rfs
