#include <cmath>
#include <numeric>

#include "rfs/core/format.h"
#include "rfs/tasks/generated.h"

namespace rfs {
namespace {

/// `Compute: 3 + 9 + 2 .[SEP] The answer is 4 .`: n values from 1 to 9; the answer is their sum mod 10 (split
/// len_tr8_ts16).
class Summation : public Task {
 public:
  struct Options : LengthOptions {
    Options() : LengthOptions(500, 1'250, {2, 8}, {9, 16}, "items") {}
  };
  explicit Summation(const Options& options) : options_(options) { options.require_longer_tests(); }

  Vocabulary vocabulary() const override {
    std::vector<std::string> words = {"Compute:", "+", ".[SEP]", "The", "answer", "is", "."};
    for (int digit = 0; digit < 10; ++digit) words.push_back(rfs::format("{}", digit));
    return {words, 0};
  }

  std::vector<Sample> samples(Split split, const Tokenizer&) const override {
    const auto sample = [](Stream& stream, int64_t length) {
      std::vector<uint64_t> items(static_cast<size_t>(length));
      for (auto& item : items) item = 1 + stream.below(9);
      const uint64_t sum = std::accumulate(items.begin(), items.end(), uint64_t{0});
      return Sample{rfs::format("Compute: {} .[SEP]", joined(items, " + ")),
                    rfs::format(" The answer is {} .", sum % 10), length};
    };
    return spread_lengths(options_, split, sample,
                          [](int64_t length) { return std::pow(9.0, static_cast<double>(length)); });
  }

  /// Compares the integer after "The answer is".
  bool right(const std::string& given, const std::string& expected) const override {
    const auto answer = digits_after(given, "The answer is");
    return !answer.empty() && answer == digits_after(expected, "The answer is");
  }

 private:
  Options options_;
};

const bool registered = Registry<Task>::add<Summation>("add n digits, modulo 10");

}  // namespace
}  // namespace rfs
