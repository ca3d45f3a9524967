#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

#include "rfs/core/format_pattern.h"

namespace rfs {

/// An argument of `format`. Strings are not copied, so the argument must outlive the call.
class FormatArgument {
 public:
  using Value = std::variant<bool, char, long long, unsigned long long, float, double, std::string_view>;
  using Kind = FormatKind;

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

template <class... Arguments>
struct FormatPattern {
  // NOLINTNEXTLINE(google-explicit-constructor): string literals convert to it.
  consteval FormatPattern(const char* pattern) : text(pattern) {
    constexpr std::array<FormatArgument::Kind, sizeof...(Arguments)> kinds{FormatArgument::kind<Arguments>()...};
    check_format(pattern, kinds);
  }
  std::string_view text;
};

std::string format_arguments(std::string_view pattern, std::span<const FormatArgument> arguments);

/// Formats like std::format: rfs::format("{} of {:.1f}", name, share). The compiler checks the pattern. format.cpp does
/// the work, so {fmt}'s templates are compiled once and not in each file. Call it as rfs::format: without the
/// namespace, argument-dependent lookup may also find std::format.
template <class... Arguments>
std::string format(FormatPattern<std::type_identity_t<Arguments>...> pattern, const Arguments&... arguments) {
  const std::array<FormatArgument, sizeof...(Arguments)> values{FormatArgument(arguments)...};
  return format_arguments(pattern.text, values);
}

/// Joins the values of a range: "1, 2, 3".
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
