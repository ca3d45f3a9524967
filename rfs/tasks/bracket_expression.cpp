#include "rfs/tasks/bracket_expression.h"

#include <cmath>

namespace rfs {
namespace {

/// Appends an expression to `symbols` and returns its value.
int64_t append(Stream& stream, int64_t length, int64_t modulus, bool products, SymbolTask::Symbols& symbols) {
  if (length > 2) symbols.emplace_back("(");
  int64_t value = 0;
  if (length <= 4) {
    const auto digit = static_cast<int64_t>(stream.below(static_cast<uint64_t>(modulus)));
    const bool negative = length % 2 == 0;
    if (negative) symbols.emplace_back("-");
    symbols.push_back(std::to_string(digit));
    value = negative ? modulus - digit : digit;
  } else {
    const int64_t left_length = 1 + static_cast<int64_t>(stream.below(static_cast<uint64_t>(length - 4)));
    const int64_t left = append(stream, left_length, modulus, products, symbols);
    constexpr char operators[] = {'+', '-', '*'};
    const char sign = operators[stream.below(products ? 3 : 2)];
    symbols.emplace_back(1, sign);
    const int64_t right = append(stream, length - left_length - 3, modulus, products, symbols);
    value = sign == '+' ? left + right : sign == '-' ? left + modulus - right : left * right;
  }
  if (length > 2) symbols.emplace_back(")");
  return value % modulus;
}

}  // namespace

BracketExpression draw_expression(Stream& stream, int64_t length, int64_t modulus, bool products) {
  BracketExpression expression;
  expression.value = append(stream, length, modulus, products, expression.symbols);
  return expression;
}

double different_expressions(int64_t length, int64_t modulus) {
  const int64_t fewest_digits = (length + 9) / 7;  // n digits fill at most 4n + 3(n - 1) symbols
  return std::pow(static_cast<double>(modulus), static_cast<double>(fewest_digits));
}

}  // namespace rfs
