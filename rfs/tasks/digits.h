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

}  // namespace rfs
