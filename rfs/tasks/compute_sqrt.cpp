#include <algorithm>

#include "rfs/tasks/symbol_task.h"

namespace rfs {
namespace {

/// Ruoss et al.'s compute_sqrt, `Root: 1 0 0 1 0 1 [SEP] 1 1 0`: the square root of a binary number above 0, rounded
/// down. The most significant bit comes first, and both numbers may begin with zeros: n bits have a root of ceil(n /
/// 2).
class ComputeSqrt : public SymbolTask {
 public:
  using Options = SymbolTaskOptions;
  explicit ComputeSqrt(const Options& options) : SymbolTask(options, "Root:", numerals(2)) {}

 protected:
  Row draw(Stream& stream, int64_t length) const override {
    Symbols given = draw_symbols(stream, length, numerals(2));
    while (std::find(given.begin(), given.end(), "1") == given.end()) given = draw_symbols(stream, length, numerals(2));
    return {given, root_of(given)};
  }

 private:
  /// The root by hand, bit by bit: bring down two bits, and subtract 4 * root + 1 from the remainder if it fits.
  static Symbols root_of(const Symbols& number) {
    using Bits = std::vector<int>;  // of one width, most significant first, so that < compares numbers
    Symbols padded = number;
    if (padded.size() % 2 == 1) padded.insert(padded.begin(), "0");
    Bits remainder(padded.size() / 2 + 4), root = remainder;
    const auto append = [](Bits& bits, int bit) {
      bits.erase(bits.begin());
      bits.push_back(bit);
    };
    Symbols written;
    for (size_t i = 0; i < padded.size(); i += 2) {
      append(remainder, padded[i] == "1" ? 1 : 0);
      append(remainder, padded[i + 1] == "1" ? 1 : 0);
      Bits trial = root;
      append(trial, 0);
      append(trial, 1);
      const bool fits = !(remainder < trial);
      for (size_t place = trial.size(), borrow = 0; fits && place-- > 0;) {
        const int difference = remainder[place] - trial[place] - static_cast<int>(borrow);
        borrow = difference < 0 ? 1 : 0;
        remainder[place] = difference + 2 * static_cast<int>(borrow);
      }
      append(root, fits ? 1 : 0);
      written.emplace_back(fits ? "1" : "0");
    }
    return written;
  }
};

const bool registered = Registry<Task>::add<ComputeSqrt>("take the square root of a binary number");

}  // namespace
}  // namespace rfs
