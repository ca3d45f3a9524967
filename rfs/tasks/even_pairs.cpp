#include "rfs/tasks/symbol_task.h"

namespace rfs {
namespace {

/// Ruoss et al.'s even_pairs, `Pairs: 0 0 1 1 1 0 [SEP] 0`: whether the number of neighbours 0 1 and 1 0 is odd. That
/// is the case if the first and the last symbol differ.
class EvenPairs : public SymbolTask {
 public:
  using Options = SymbolTaskOptions;
  explicit EvenPairs(const Options& options) : SymbolTask(options, "Pairs:", numerals(2)) {}

 protected:
  Row draw(Stream& stream, int64_t length) const override {
    const Symbols bits = draw_symbols(stream, length, numerals(2));
    return {bits, {bits.front() != bits.back() ? "1" : "0"}};
  }
};

const bool registered = Registry<Task>::add<EvenPairs>("say whether the number of unequal neighbours is odd");

}  // namespace
}  // namespace rfs
