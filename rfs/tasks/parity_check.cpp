#include <algorithm>

#include "rfs/tasks/symbol_task.h"

namespace rfs {
namespace {

/// Ruoss et al.'s parity_check, `Parity: 1 0 1 1 [SEP] 1`: whether the number of ones is odd.
class ParityCheck : public SymbolTask {
 public:
  using Options = SymbolTaskOptions;
  explicit ParityCheck(const Options& options) : SymbolTask(options, "Parity:", numerals(2)) {}

 protected:
  Row draw(Stream& stream, int64_t length) const override {
    const Symbols bits = draw_symbols(stream, length, numerals(2));
    return {bits, {std::count(bits.begin(), bits.end(), "1") % 2 == 1 ? "1" : "0"}};
  }
};

const bool registered = Registry<Task>::add<ParityCheck>("say whether the number of ones is odd");

}  // namespace
}  // namespace rfs
