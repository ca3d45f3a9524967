#include <algorithm>
#include <cmath>

#include "rfs/core/format.h"
#include "rfs/tasks/digits.h"
#include "rfs/tasks/generated.h"

namespace rfs {
namespace {

/// `4 5 1 + 0 9 9 = 0 5 5 0`: addition as position coupling (Cho et al. 2024) and Abacus (McLeish et al. 2024) write
/// it. Each digit is a token, and the answer begins with the least significant digit. One operand, either with equal
/// probability, has as many digits as the length says. The other one has a uniform number of digits up to that length;
/// it is padded with zeros. The answer has one digit more, for the carry. A number of d digits is uniform in [10^(d-1),
/// 10^d), one digit in [0, 10).
class LongAddition : public Task {
 public:
  struct Options : LengthOptions {
    Options() : LengthOptions(100, 100, {1, 30}, {31, 100}, "digits", 10) {}
    Field<bool> reversed{this, "reversed", true, "the answer begins with the least significant digit"};
    Field<bool> padded{this, "padded", true,
                       "zeros give both operands the same number of digits, and the sum one more"};
  };
  explicit LongAddition(const Options& options) : options_(options) { options.require_longer_tests(); }

  Vocabulary vocabulary() const override {
    std::vector<std::string> words = {"+", "="};
    for (int digit = 0; digit < 10; ++digit) words.push_back(rfs::format("{}", digit));
    return {words, 0};
  }

  std::vector<Sample> samples(Split split, const Tokenizer&) const override {
    const auto sample = [&](Stream& stream, int64_t length) {
      const bool swap = stream.below(2) == 1;
      std::string a = draw_number(stream, length);
      std::string b = draw_number(stream, 1 + static_cast<int64_t>(stream.below(static_cast<uint64_t>(length))));
      if (swap) std::swap(a, b);
      std::string sum = add_numbers(a, b);
      if (options_.padded) {
        for (std::string* operand : {&a, &b}) pad(*operand, length);
        pad(sum, length + 1);
      }
      if (options_.reversed) std::reverse(sum.begin(), sum.end());
      return Sample{spaced(a) + " + " + spaced(b) + " =", " " + spaced(sum), length};
    };
    return spread_lengths(options_, split, sample,
                          [](int64_t length) { return std::pow(10.0, static_cast<double>(length)); });
  }

  std::vector<int64_t> significance(std::string_view row) const override {
    return digit_significance(row, options_.reversed);
  }

 private:
  static void pad(std::string& number, int64_t digits) {
    number.insert(0, static_cast<size_t>(digits) - number.size(), '0');
  }

  Options options_;
};

const bool registered = Registry<Task>::add<LongAddition>("add two numbers, least significant digit first");

}  // namespace
}  // namespace rfs
