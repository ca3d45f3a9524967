#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rfs/core/random.h"

namespace rfs {

/// Decimal numbers of any size, as texts of digits: most significant digit first.

/// A number of exactly `digits` digits, uniform in [10^(d-1), 10^d); of one digit, uniform in [0, 10).
std::string draw_number(Stream& stream, int64_t digits);

/// The sum, without leading zeros unless an operand has them.
std::string add_numbers(std::string_view a, std::string_view b);

/// "451" to "4 5 1", so that each digit is a token.
std::string spaced(std::string_view digits);

/// For each word of `4 5 1 + 0 9 9 = 0 5 5 0` its significance: 1 for units, 2 for tens, ...; 0 for words that are not
/// a digit. Digits after `=` begin with the units if `reversed`, so the row may end before the answer does. Else the
/// row is complete and ends with the units, apart from words that are not digits.
std::vector<int64_t> digit_significance(std::string_view row, bool reversed);

}  // namespace rfs
