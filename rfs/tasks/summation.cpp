#include <fmt/ranges.h>

#include <cmath>
#include <numeric>

#include "rfs/tasks/word_task.h"

namespace rfs {
namespace {

/// `Compute: 3 + 9 + 2 .[SEP] The answer is 4 .`: n values 1 .. 9, the answer is their sum mod 10 (split len_tr8_ts16).
class Summation : public Task {
 public:
  struct Options : GeneratedOptions {
    Options() : GeneratedOptions(500, 1'250) {}
    Field<std::vector<int64_t>> train_lengths{
        this, "train_lengths", {2, 8}, "items in training samples, [first, last]", interval(1, 1'000'000)};
    Field<std::vector<int64_t>> test_lengths{
        this, "test_lengths", {9, 16}, "items in test samples, [first, last]", interval(1, 1'000'000)};
  };
  explicit Summation(const Options& options) : options_(options) {
    require_longer_tests(*options.train_lengths, *options.test_lengths);
  }

  Vocabulary vocabulary() const override {
    std::vector<std::string> words = {"Compute:", "+", ".[SEP]", "The", "answer", "is", "."};
    for (int digit = 0; digit < 10; ++digit) words.push_back(fmt::format("{}", digit));
    return {words, 0};
  }

  std::vector<Sample> samples(Split split, const Tokenizer&) const override {
    const auto& lengths = split == Split::test ? *options_.test_lengths : *options_.train_lengths;
    Bins bins;
    bins.count = lengths[1] - lengths[0] + 1;
    bins.draw = [&](Stream& stream, int64_t bin) {
      std::vector<uint64_t> items(static_cast<size_t>(lengths[0] + bin));
      for (auto& item : items) item = 1 + stream.below(9);
      const uint64_t sum = std::accumulate(items.begin(), items.end(), uint64_t{0});
      return Sample{fmt::format("Compute: {} .[SEP]", fmt::join(items, " + ")),
                    fmt::format(" The answer is {} .", sum % 10), lengths[0] + bin};
    };
    bins.different = [&](int64_t bin) { return std::pow(9.0, static_cast<double>(lengths[0] + bin)); };
    return spread(options_, split, bins);
  }

 private:
  Options options_;
};

const bool registered = Registry<Task>::add<Summation>("add n digits, modulo 10");

}  // namespace
}  // namespace rfs
