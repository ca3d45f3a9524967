#include <cmath>

#include "rfs/tasks/symbol_task.h"

namespace rfs {
namespace {

/// Ruoss et al.'s stack_manipulation, `Stack: 0 1 1 0 push1 pop pop [SEP] 1 1 0`: a stack from bottom to top, then
/// actions. The answer is the stack after them, from top to bottom. `pop` on an empty stack does nothing. An empty
/// stack is written `empty`; the original has its termination symbol there, which `</s>` replaces.
class StackManipulation : public SymbolTask {
 public:
  using Options = SymbolTaskOptions;
  explicit StackManipulation(const Options& options)
      : SymbolTask(options, "Stack:", {"0", "1", "pop", "push0", "push1"}, {"empty"}) {}

 protected:
  Row draw(Stream& stream, int64_t length) const override {
    const int64_t height = length == 1 ? 1 : 1 + static_cast<int64_t>(stream.below(static_cast<uint64_t>(length - 1)));
    Symbols stack = draw_symbols(stream, height, numerals(2)), given = stack;
    for (const auto& action : draw_symbols(stream, length - height, {"pop", "push0", "push1"})) {
      given.push_back(action);
      if (action != "pop") {
        stack.push_back(action.substr(4));
      } else if (!stack.empty()) {
        stack.pop_back();
      }
    }
    return {given, stack.empty() ? Symbols{"empty"} : Symbols(stack.rbegin(), stack.rend())};
  }
  double different(int64_t length) const override { return std::pow(2.0, static_cast<double>(length)); }
};

const bool registered = Registry<Task>::add<StackManipulation>("apply pushes and pops to a stack");

}  // namespace
}  // namespace rfs
