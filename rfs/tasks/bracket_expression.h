#pragma once

#include <cstdint>

#include "rfs/tasks/symbol_task.h"

namespace rfs {

/// An expression with brackets and its value.
struct BracketExpression {
  SymbolTask::Symbols symbols;
  int64_t value = 0;  ///< in 0 .. modulus - 1
};

/// A random expression of `length` symbols (Delétang et al. 2023): d, - d, ( d ) or ( - d ) up to four symbols, else (
/// left
/// + right ) or ( left - right ), with the length split at random. `products` adds ( left * right ). Each d is
/// uniform in 0 .. modulus - 1.
BracketExpression draw_expression(Stream& stream, int64_t length, int64_t modulus, bool products);

/// A lower bound of the number of different expressions.
double different_expressions(int64_t length, int64_t modulus);

}  // namespace rfs
