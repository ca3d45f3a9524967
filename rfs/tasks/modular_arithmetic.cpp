#include "rfs/tasks/bracket_expression.h"

namespace rfs {
namespace {

/// Ruoss et al.'s modular_arithmetic, `Mod: ( ( 3 ) - ( 4 + 1 ) ) [SEP] 3`: the value of an expression with brackets,
/// modulo 5.
class ModularArithmetic : public SymbolTask {
 public:
  struct Options : SymbolTaskOptions {
    Field<int64_t> modulus{this, "modulus", 5, "the result is taken modulo this", between<int64_t>(2, 1'000)};
    Field<bool> products{this, "products", false, "expressions have products, too"};
  };
  explicit ModularArithmetic(const Options& options)
      : SymbolTask(options, "Mod:", symbols(options.modulus)), modulus_(options.modulus), products_(options.products) {}

 protected:
  Row draw(Stream& stream, int64_t length) const override {
    const auto expression = draw_expression(stream, length, modulus_, products_);
    return {expression.symbols, {std::to_string(expression.value)}};
  }
  double different(int64_t length) const override { return different_expressions(length, modulus_); }

 private:
  static Symbols symbols(int64_t modulus) {
    Symbols all = numerals(modulus);
    all.insert(all.end(), {"+", "-", "*", "(", ")"});
    return all;
  }

  int64_t modulus_;
  bool products_;
};

const bool registered = Registry<Task>::add<ModularArithmetic>("evaluate an expression with brackets, modulo 5");

}  // namespace
}  // namespace rfs
