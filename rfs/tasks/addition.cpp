#include <algorithm>
#include <cmath>

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/core/split.h"
#include "rfs/tasks/digits.h"
#include "rfs/tasks/generated.h"

namespace rfs {
namespace {

/// `Compute 3 5 3 2 + 6 2 7 6 5 4 ? The answer is 6 3 1 1 8 6.` Digits are separated so that each is one token (split
/// len_tr8_ts16). A number of d digits is uniform in [10^(d-1), 10^d), one digit in [0, 10). The length is the larger
/// digit count. Bins are pairs of digit counts: 64 in training; in the test all pairs up to 16 whose larger count is
/// above 8. Pairs of one-digit numbers have 100 different samples, too few to keep validation out of training. With
/// test_step k the larger count of a test pair is 9, 9 + k, ..., 16, and the two counts differ by a multiple of k.
class Addition : public Task {
 public:
  struct Options : GeneratedOptions {
    Options() : GeneratedOptions(50, 52) {}
    Field<int64_t> train_digits{this, "train_digits", 8, "maximum number of digits in training",
                                between<int64_t>(1, 9'999)};
    Field<int64_t> test_digits{this, "test_digits", 16, "maximum number of digits in the test",
                               between<int64_t>(2, 10'000)};
    Field<int64_t> test_step{this, "test_step", 1,
                             "distance between tested digit counts; the last one is always tested",
                             between<int64_t>(1, 10'000)};
  };
  explicit Addition(const Options& options) : options_(options) {
    if (options.test_digits <= options.train_digits) {
      throw Error(rfs::format("task.test_digits: must be above the {} digits of training, got {}",
                              *options.train_digits, *options.test_digits));
    }
  }

  Vocabulary vocabulary() const override {
    std::vector<std::string> words = {"Compute", "+", "?", "The", "answer", "is"};
    for (int digit = 0; digit < 10; ++digit) words.push_back(rfs::format("{}", digit));
    for (int digit = 0; digit < 10; ++digit) words.push_back(rfs::format("{}.", digit));
    return {words, 0};
  }

  std::vector<Sample> samples(Split split, const Tokenizer&) const override {
    std::vector<std::pair<int64_t, int64_t>> pairs;
    const int64_t most = split == Split::test ? *options_.test_digits : *options_.train_digits;
    for (int64_t a = 1; a <= most; ++a) {
      for (int64_t b = 1; b <= most; ++b) {
        if (split != Split::test || tested(a, b)) pairs.emplace_back(a, b);
      }
    }
    Bins bins;
    bins.count = static_cast<int64_t>(pairs.size());
    bins.draw = [&](Stream& stream, int64_t bin) {
      const auto [digits_a, digits_b] = pairs[static_cast<size_t>(bin)];
      const std::string a = draw_number(stream, digits_a), b = draw_number(stream, digits_b);
      return Sample{"Compute " + spaced(a) + " + " + spaced(b) + " ?",
                    " The answer is " + spaced(add_numbers(a, b)) + ".", std::max(digits_a, digits_b)};
    };
    bins.different = [&](int64_t bin) {
      const auto [digits_a, digits_b] = pairs[static_cast<size_t>(bin)];
      return 0.81 * std::pow(10.0, static_cast<double>(digits_a + digits_b));
    };
    return spread(options_, split, bins);
  }

  /// Digits of the answer count by their places, whatever the words are: so an answer that is still to come has the
  /// significances that it will have.
  std::vector<int64_t> significance(std::string_view row) const override {
    constexpr size_t digits_begin = 4;  // "? The answer is"
    const auto words = split_words(row);
    auto significance = digit_significance(row, false);
    const auto question = static_cast<size_t>(std::find(words.begin(), words.end(), "?") - words.begin());
    for (size_t i = question; i < words.size(); ++i) {
      significance[i] = i < question + digits_begin ? 0 : static_cast<int64_t>(words.size() - i);
    }
    return significance;
  }

  /// Compares the integer after "The answer is".
  bool right(const std::string& given, const std::string& expected) const override {
    const auto answer = digits_after(given, "The answer is");
    return !answer.empty() && answer == digits_after(expected, "The answer is");
  }

 private:
  bool tested(int64_t a, int64_t b) const {
    const int64_t larger = std::max(a, b), above = larger - options_.train_digits - 1;
    return above >= 0 && (above % options_.test_step == 0 || larger == options_.test_digits) &&
           (a - b) % options_.test_step == 0;
  }

  Options options_;
};

const bool registered = Registry<Task>::add<Addition>("add two numbers written digit by digit");

}  // namespace
}  // namespace rfs
