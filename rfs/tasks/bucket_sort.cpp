#include <algorithm>

#include "rfs/tasks/symbol_task.h"

namespace rfs {
namespace {

/// Ruoss et al.'s bucket_sort, `Sort: 1 0 2 0 4 [SEP] 0 0 1 2 4`: sort symbols of a small alphabet. With 32 symbols and
/// lengths of 32 to 64 it is the sort task of ASEntmax (Vasylenko et al. 2025).
class BucketSort : public SymbolTask {
 public:
  struct Options : SymbolTaskOptions {
    Field<int64_t> symbols{this, "symbols", 5, "size of the alphabet", between<int64_t>(2, 10'000)};
  };
  explicit BucketSort(const Options& options)
      : SymbolTask(options, "Sort:", numerals(options.symbols)), alphabet_(numerals(options.symbols)) {}

 protected:
  Row draw(Stream& stream, int64_t length) const override {
    std::vector<uint64_t> numbers(static_cast<size_t>(length));
    for (auto& number : numbers) number = stream.below(alphabet_.size());
    const auto symbols = [&] {
      Symbols words;
      for (const uint64_t number : numbers) words.push_back(alphabet_[number]);
      return words;
    };
    const Symbols given = symbols();
    std::sort(numbers.begin(), numbers.end());
    return {given, symbols()};
  }

 private:
  Symbols alphabet_;
};

const bool registered = Registry<Task>::add<BucketSort>("sort n symbols of a small alphabet");

}  // namespace
}  // namespace rfs
