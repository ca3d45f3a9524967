#include <algorithm>
#include <cmath>

#include "rfs/tasks/symbol_task.h"

namespace rfs {
namespace {

/// Ruoss et al.'s binary_multiplication, `Multiply: 0 0 1 * 0 1 1 0 1 [SEP] 0 0 0 1 1 0 1`: the product of two binary
/// numbers, least significant bit first. Both are above 0 and may end with zeros; the product ends with a one.
class BinaryMultiplication : public SymbolTask {
 public:
  struct Options : SymbolTaskOptions {
    Options() : SymbolTaskOptions(3) {}
  };
  explicit BinaryMultiplication(const Options& options) : SymbolTask(options, "Multiply:", {"0", "1", "*"}, {}, 3) {}

 protected:
  Row draw(Stream& stream, int64_t length) const override {
    const int64_t size = 1 + static_cast<int64_t>(stream.below(static_cast<uint64_t>(length - 2)));
    const Symbols a = draw_positive(stream, size), b = draw_positive(stream, length - 1 - size);
    std::vector<int64_t> bits(a.size() + b.size());
    for (size_t i = 0; i < a.size(); ++i) {
      for (size_t j = 0; j < b.size(); ++j) bits[i + j] += a[i] == "1" && b[j] == "1" ? 1 : 0;
    }
    for (size_t i = 0; i + 1 < bits.size(); ++i) {
      bits[i + 1] += bits[i] / 2;
      bits[i] %= 2;
    }
    while (bits.back() == 0) bits.pop_back();

    Row row{a, {}};
    row.given.emplace_back("*");
    row.given.insert(row.given.end(), b.begin(), b.end());
    for (const int64_t bit : bits) row.answer.push_back(std::to_string(bit));
    return row;
  }
  double different(int64_t length) const override { return std::pow(2.0, static_cast<double>(length - 2)); }

 private:
  static Symbols draw_positive(Stream& stream, int64_t size) {
    Symbols bits = draw_symbols(stream, size, numerals(2));
    while (std::find(bits.begin(), bits.end(), "1") == bits.end()) bits = draw_symbols(stream, size, numerals(2));
    return bits;
  }
};

const bool registered = Registry<Task>::add<BinaryMultiplication>("multiply two binary numbers");

}  // namespace
}  // namespace rfs
