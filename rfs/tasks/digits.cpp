#include "rfs/tasks/digits.h"

#include <algorithm>

#include "rfs/core/format.h"
#include "rfs/core/split.h"

namespace rfs {
namespace {

/// Digits that one draw of 64 bits gives.
constexpr int64_t chunk = 18;

uint64_t power_of_ten(int64_t exponent) {
  uint64_t power = 1;
  for (int64_t i = 0; i < exponent; ++i) power *= 10;
  return power;
}

}  // namespace

std::string draw_number(Stream& stream, int64_t digits) {
  if (digits == 1) return rfs::format("{}", stream.below(10));
  const int64_t first = std::min(digits, chunk);
  const uint64_t low = power_of_ten(first - 1);
  std::string number = rfs::format("{}", low + stream.below(9 * low));
  for (int64_t left = digits - first; left > 0; left -= chunk) {
    const int64_t count = std::min(left, chunk);
    const std::string next = rfs::format("{}", stream.below(power_of_ten(count)));
    number += std::string(static_cast<size_t>(count) - next.size(), '0') + next;
  }
  return number;
}

std::string add_numbers(std::string_view a, std::string_view b) {
  std::string sum;
  int carry = 0;
  for (size_t i = 0; i < std::max(a.size(), b.size()) || carry > 0; ++i) {
    const int total =
        (i < a.size() ? a[a.size() - 1 - i] - '0' : 0) + (i < b.size() ? b[b.size() - 1 - i] - '0' : 0) + carry;
    sum += static_cast<char>('0' + total % 10);
    carry = total / 10;
  }
  std::reverse(sum.begin(), sum.end());
  return sum;
}

std::string spaced(std::string_view digits) {
  std::string text;
  for (const char digit : digits) {
    if (!text.empty()) text += ' ';
    text += digit;
  }
  return text;
}

std::vector<int64_t> digit_significance(std::string_view row, bool reversed) {
  const auto words = split_words(row);
  const auto is_digit = [](std::string_view word) { return word.size() == 1 && word[0] >= '0' && word[0] <= '9'; };
  std::vector<int64_t> significance(words.size());
  size_t begin = 0;
  bool answer = false;
  while (begin < words.size()) {
    size_t end = begin;
    while (end < words.size() && is_digit(words[end])) ++end;
    for (size_t i = begin; i < end; ++i) {
      significance[i] = static_cast<int64_t>(answer && reversed ? i - begin + 1 : end - i);
    }
    if (end < words.size() && words[end] == "=") answer = true;
    begin = end + 1;
  }
  return significance;
}

}  // namespace rfs
