#include "rfs/tasks/bracket_expression.h"

namespace rfs {
namespace {

/// Ruoss et al.'s solve_equation, `Solve: ( x - ( 4 + 1 ) ) = 3 [SEP] 3`: the unknown of an equation modulo 5. One
/// number of an expression with brackets, chosen at random, is the unknown. Without products the solution is unique.
class SolveEquation : public SymbolTask {
 public:
  struct Options : SymbolTaskOptions {
    Options() : SymbolTaskOptions(3) {}
    Field<int64_t> modulus{this, "modulus", 5, "the equation holds modulo this", between<int64_t>(2, 1'000)};
  };
  explicit SolveEquation(const Options& options)
      : SymbolTask(options, "Solve:", symbols(options.modulus), {}, 3), modulus_(options.modulus) {}

 protected:
  Row draw(Stream& stream, int64_t length) const override {
    auto [given, value] = draw_expression(stream, length - 2, modulus_, false);
    std::vector<size_t> numbers;
    for (size_t i = 0; i < given.size(); ++i) {
      if (given[i].find_first_of("0123456789") == 0) numbers.push_back(i);
    }
    std::string& unknown = given[numbers[stream.below(numbers.size())]];
    const std::string answer = unknown;
    unknown = "x";
    given.emplace_back("=");
    given.push_back(std::to_string(value));
    return {given, {answer}};
  }
  double different(int64_t length) const override { return different_expressions(length - 2, modulus_); }

 private:
  static Symbols symbols(int64_t modulus) {
    Symbols all = numerals(modulus);
    all.insert(all.end(), {"+", "-", "(", ")", "=", "x"});
    return all;
  }

  int64_t modulus_;
};

const bool registered = Registry<Task>::add<SolveEquation>("find the unknown of an equation, modulo 5");

}  // namespace
}  // namespace rfs
