// The data of long_addition, and the significance of its digits.

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

#include "make.h"

namespace rfs {
namespace {

using Words = std::vector<std::string>;

/// The operands and the sum, all with the most significant digit first.
std::vector<Words> terms(const Sample& sample, bool reversed) {
  const Words words = words_of(sample.prompt + sample.answer);
  std::vector<Words> found(1);
  for (const auto& word : words) {
    if (word == "+" || word == "=") {
      found.emplace_back();
    } else {
      found.back().push_back(word);
    }
  }
  if (reversed) std::reverse(found.back().begin(), found.back().end());
  return found;
}

TEST(LongAddition, AddsModuloPrimes) {
  for (const bool padded : {true, false}) {
    for (const bool reversed : {true, false}) {
      const auto task =
          make_task("long_addition", std::string("train_samples = 2000\nvalidation_samples = 10\npadded = ") +
                                         (padded ? "true" : "false") + "\nreversed = " + (reversed ? "true" : "false"));
      const auto tokenizer = words_for(*task);
      for (const Split split : {Split::train, Split::validation, Split::test}) {
        std::map<int64_t, int64_t> lengths;
        int first_shorter = 0, second_shorter = 0;
        for (const auto& sample : task->samples(split, *tokenizer)) {
          ++lengths[sample.length];
          const auto all = terms(sample, reversed);
          ASSERT_EQ(all.size(), 3u);
          for (const uint64_t prime : primes) {
            uint64_t values[3];
            for (size_t i = 0; i < 3; ++i) values[i] = modulo(all[i].begin(), all[i].end(), 10, prime);
            ASSERT_EQ((values[0] + values[1]) % prime, values[2]) << sample.prompt << sample.answer;
          }
          const auto length = static_cast<size_t>(sample.length);
          ASSERT_EQ(std::max(all[0].size(), all[1].size()), length);
          if (padded) {
            ASSERT_TRUE(all[0].size() == length && all[1].size() == length && all[2].size() == length + 1);
          } else {
            for (const auto& number : all) ASSERT_TRUE(number.size() == 1 || number.front() != "0");
          }
          first_shorter += all[0].size() < length || (length > 1 && all[0].front() == "0") ? 1 : 0;
          second_shorter += all[1].size() < length || (length > 1 && all[1].front() == "0") ? 1 : 0;
        }
        // At most one operand is shorter, each as often as the other: 6 standard deviations.
        EXPECT_GT(first_shorter, 0);
        EXPECT_NEAR(first_shorter, second_shorter, 6 * std::sqrt(first_shorter + second_shorter));
        if (split == Split::test) {
          EXPECT_EQ(lengths,
                    (std::map<int64_t, int64_t>{
                        {31, 100}, {41, 100}, {51, 100}, {61, 100}, {71, 100}, {81, 100}, {91, 100}, {100, 100}}));
        } else {
          EXPECT_EQ(lengths.size(), 30u);
        }
      }
    }
  }
}

TEST(LongAddition, KnowsTheSignificanceOfEachDigit) {
  const auto reversed = make_task("long_addition", ""), plain = make_task("long_addition", "reversed = false");
  using Significance = std::vector<int64_t>;
  EXPECT_EQ(reversed->significance("4 5 1 + 0 9 9 = 0 5 5 0"), (Significance{3, 2, 1, 0, 3, 2, 1, 0, 1, 2, 3, 4}));
  EXPECT_EQ(reversed->significance("4 5 1 + 9 9 = 0 5 </s>"), (Significance{3, 2, 1, 0, 2, 1, 0, 1, 2, 0}));
  EXPECT_EQ(plain->significance("4 5 1 + 0 9 9 = 0 5 5 0 </s>"), (Significance{3, 2, 1, 0, 3, 2, 1, 0, 4, 3, 2, 1, 0}));
  EXPECT_EQ(reversed->significance("7 ="), (Significance{1, 0}));
  EXPECT_EQ(reversed->significance(""), Significance{});
  EXPECT_EQ(make_task("copy", "")->significance("Copy: 1 [SEP] 1"), Significance{});
  // Every word of every row has its significance, so that operands and answer line up.
  const auto tokenizer = words_for(*reversed);
  for (const auto& sample : reversed->samples(Split::validation, *tokenizer)) {
    const auto found = reversed->significance(sample.prompt + sample.answer);
    std::map<int64_t, int> counts;
    for (const int64_t one : found) ++counts[one];
    ASSERT_EQ(counts[0], 2);
    for (int64_t i = 1; i <= sample.length; ++i) ASSERT_EQ(counts[i], 3);
    ASSERT_EQ(counts[sample.length + 1], 1);
  }
}

// The last digit of an answer has a full stop. "The answer is" has no significance, neither as words nor as the zeros
// that stand for an answer still to come.
TEST(Addition, KnowsTheSignificanceOfEachDigit) {
  const auto task = make_task("addition", "");
  const std::vector<int64_t> groups = {0, 3, 2, 1, 0, 2, 1, 0, 0, 0, 0, 4, 3, 2, 1};
  EXPECT_EQ(task->significance("Compute 9 5 1 + 9 9 ? The answer is 1 0 5 0."), groups);
  EXPECT_EQ(task->significance("Compute 9 5 1 + 9 9 ? 0 0 0 0 0 0 0"), groups);
  EXPECT_EQ(task->significance("Compute 9 5 1 + 9 9 ? The 0 0 0 0 0 0"), groups);
  EXPECT_EQ(task->significance("Compute 7 + 2 ?"), (std::vector<int64_t>{0, 1, 0, 1, 0}));
  EXPECT_EQ(task->significance("Compute"), (std::vector<int64_t>{0}));
  const auto tokenizer = words_for(*task);
  for (const auto& sample : task->samples(Split::validation, *tokenizer)) {
    const auto row = sample.prompt + sample.answer;
    const auto words = words_of(row);
    const auto found = task->significance(row);
    ASSERT_EQ(found.size(), words.size());
    // The sum again, from digits and significances alone.
    std::vector<int64_t> sum(32);
    bool answer = false;
    for (size_t i = 0; i < words.size(); ++i) {
      answer = answer || words[i] == "?";
      ASSERT_EQ(found[i] > 0, std::isdigit(static_cast<unsigned char>(words[i][0])) != 0) << row;
      if (found[i] > 0) sum[static_cast<size_t>(found[i])] += (answer ? -1 : 1) * (words[i][0] - '0');
    }
    int64_t value = 0;  // from the most significant digit on, so that a carry never overflows
    for (size_t place = sum.size(); place-- > 1;) value = value * 10 + sum[place];
    ASSERT_EQ(value, 0) << row;
  }
}

}  // namespace
}  // namespace rfs
