#include <cmath>

#include "rfs/tasks/symbol_task.h"

namespace rfs {
namespace {

/// Ruoss et al.'s modular_arithmetic_simple, `Mod: 1 + 2 * 3 - 4 [SEP] 3`: the value of an expression modulo 5, where
/// products bind more tightly than sums. An expression has an odd number of symbols: one less than an even length.
class ModularArithmeticSimple : public SymbolTask {
 public:
  struct Options : SymbolTaskOptions {
    Field<int64_t> modulus{this, "modulus", 5, "the result is taken modulo this", between<int64_t>(2, 1'000)};
  };
  explicit ModularArithmeticSimple(const Options& options)
      : SymbolTask(options, "Mod:", symbols(options.modulus)), modulus_(options.modulus) {}

 protected:
  Row draw(Stream& stream, int64_t length) const override {
    const auto number = [&] { return static_cast<int64_t>(stream.below(static_cast<uint64_t>(modulus_))); };
    int64_t sum = 0, product = number();  // the terms before the current one; the current one, with its sign
    Row row{{std::to_string(product)}, {}};
    for (int64_t i = 1; i < (length + 1) / 2; ++i) {
      constexpr char operators[] = {'+', '-', '*'};
      const char sign = operators[stream.below(3)];
      const int64_t next = number();
      row.given.emplace_back(1, sign);
      row.given.push_back(std::to_string(next));
      if (sign == '*') {
        product = product * next % modulus_;
      } else {
        sum += product;
        product = sign == '+' ? next : modulus_ - next;
      }
    }
    row.answer.push_back(std::to_string((sum + product) % modulus_));
    return row;
  }
  double different(int64_t length) const override {
    const auto numbers = static_cast<double>((length + 1) / 2);
    return std::pow(static_cast<double>(modulus_), numbers) * std::pow(3.0, numbers - 1);
  }

 private:
  static Symbols symbols(int64_t modulus) {
    Symbols all = numerals(modulus);
    all.insert(all.end(), {"+", "-", "*"});
    return all;
  }

  int64_t modulus_;
};

const bool registered =
    Registry<Task>::add<ModularArithmeticSimple>("evaluate an expression without brackets, modulo 5");

}  // namespace
}  // namespace rfs
