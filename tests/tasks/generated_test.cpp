// What generated tasks share: the grid of test lengths, numbers of any size, and samples that never change.

#include "rfs/tasks/generated.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "make.h"
#include "rfs/core/error.h"
#include "rfs/core/sha256.h"
#include "rfs/tasks/digits.h"

namespace rfs {
namespace {

/// SHA-256 of "prompt answer length" lines, all splits.
std::string hash_of(const Task& task) {
  const auto tokenizer = words_for(task);
  Sha256 hash;
  for (const Split split : {Split::train, Split::validation, Split::test}) {
    for (const auto& sample : task.samples(split, *tokenizer)) {
      hash.add(sample.prompt + sample.answer + " " + std::to_string(sample.length) + "\n");
    }
  }
  return hash.hex();
}

// The hashes were recorded before test_step and numbers of any size existed: runs and results of that time stay valid.
TEST(Samples, OfEarlierSettingsNeverChange) {
  EXPECT_EQ(hash_of(*make_task("addition", "train_samples = 1000")),
            "d7f924da77661b859cbff6c2f36ee0de4edb83d41f8e8d0fd84c9b626ed1cf7e");
  EXPECT_EQ(hash_of(*make_task("addition",
                               "train_samples = 1000\ntrain_digits = 17\ntest_digits = 18\n"
                               "validation_samples = 3\ntest_samples = 5")),
            "404d2605e60579c8add229eb01cc67e17e6f85c49c353bf577c5e627cf8a509f");
  EXPECT_EQ(hash_of(*make_task("addition", "train_samples = 1000\ntrain_digits = 1\ntest_digits = 3\nseed = 7")),
            "37faa190a7761534fb7e4ba5b498fb8ca93a5856f58e6fac97952a8b3708cb8c");
  const std::string few = "train_samples = 1000\nvalidation_samples = 20\ntest_samples = 20\n";
  EXPECT_EQ(hash_of(*make_task("copy", few)), "c1eb8693d771dcf30239224cb63eb928bcfb23ec347e4b5380939420bba9e847");
  EXPECT_EQ(hash_of(*make_task("copy", few + "words = 26\ntrain_lengths = [2, 10]\ntest_lengths = [11, 20]")),
            "c4ab452bcd8a1a38af58c28e80050bd0e1cedff0af1c1f8ef5f7c544b5e6a977");
  EXPECT_EQ(hash_of(*make_task("copy2", few)), "4df4f99c3344cf19ff055a11ef22bfca63df9a0d922ba1bf427acd084eabc9d3");
  EXPECT_EQ(hash_of(*make_task("reverse", few)), "c5a9bceca9e9cf40562885e98557e378f65a123fee26b250b07a76228b838b77");
  EXPECT_EQ(hash_of(*make_task("sort", few)), "b543e7ed6cad93f287ffbb666ff60e2ea678fcbb88529f37dfc32d876e703f5b");
  EXPECT_EQ(hash_of(*make_task("summation", few)), "8bc25428a6d85f1c594060d81a66398f792e128829d61996c5fdb73abc5db26e");
}

TEST(Samples, EndIfATaskSaysThatItHasMoreThanItHas) {
  GeneratedOptions options(10, 1);
  const Bins bins{1,
                  [](Stream& stream, int64_t) {
                    return Sample{std::to_string(stream.below(2)), " a", 1};
                  },
                  [](int64_t) { return 100.0; }};
  EXPECT_EQ(spread(options, Split::validation, bins).size(), 10u);
  EXPECT_THROW(spread(options, Split::train, bins), Error);
}

TEST(TestLengths, AreAGridThatEndsWithTheLastOne) {
  using Lengths = LengthOptions::Lengths;
  const auto tested = [](Lengths test, int64_t step, int64_t factor) {
    const LengthOptions options(1, 1, {2, 4}, std::move(test), "words", step, factor);
    EXPECT_EQ(options.lengths(Split::train), (Lengths{2, 3, 4}));
    EXPECT_EQ(options.lengths(Split::validation), (Lengths{2, 3, 4}));
    return options.lengths(Split::test);
  };
  EXPECT_EQ(tested({5, 9}, 1, 1), (Lengths{5, 6, 7, 8, 9}));
  EXPECT_EQ(tested({5, 9}, 2, 1), (Lengths{5, 7, 9}));
  EXPECT_EQ(tested({5, 10}, 2, 1), (Lengths{5, 7, 9, 10}));
  EXPECT_EQ(tested({5, 10}, 100, 1), (Lengths{5, 10}));
  EXPECT_EQ(tested({5, 5}, 3, 1), (Lengths{5}));
  EXPECT_EQ(tested({128, 4096}, 1, 2), (Lengths{128, 256, 512, 1024, 2048, 4096}));
  EXPECT_EQ(tested({5, 50}, 10, 2), (Lengths{5, 15, 30, 50}));
}

TEST(TestLengths, OfATaskAreItsGrid) {
  const auto task =
      make_task("copy", "train_lengths = [2, 10]\ntest_lengths = [11, 80]\ntest_step = 20\ntest_samples = 3");
  std::multiset<int64_t> lengths;
  for (const auto& sample : task->samples(Split::test, *words_for(*task))) {
    lengths.insert(sample.length);
    EXPECT_EQ(std::count(sample.answer.begin(), sample.answer.end(), ' '), sample.length);
  }
  EXPECT_EQ(lengths, (std::multiset<int64_t>{11, 11, 11, 31, 31, 31, 51, 51, 51, 71, 71, 71, 80, 80, 80}));
  EXPECT_THROW(make_task("copy", "test_step = 0"), Error);
}

TEST(Numbers, AddUpAtAnySize) {
  EXPECT_EQ(add_numbers("0", "0"), "0");
  EXPECT_EQ(add_numbers("999", "1"), "1000");
  EXPECT_EQ(add_numbers("451", "099"), "550");
  EXPECT_EQ(add_numbers(std::string(100, '9'), "1"), "1" + std::string(100, '0'));
  EXPECT_EQ(spaced("451"), "4 5 1");
  EXPECT_EQ(spaced(""), "");
  Stream stream(1, "test");
  for (int i = 0; i < 1000; ++i) {
    const uint64_t a = stream.below(1'000'000'000'000), b = stream.below(1'000'000);
    ASSERT_EQ(add_numbers(std::to_string(a), std::to_string(b)), std::to_string(a + b));
  }
}

TEST(Numbers, HaveTheirDigitsAndUniformOnes) {
  for (const int64_t digits : {1, 2, 17, 18, 19, 36, 37, 100}) {
    std::vector<std::vector<int>> counts(static_cast<size_t>(digits), std::vector<int>(10));
    for (uint64_t i = 0; i < 9000; ++i) {
      Stream stream(3, "test", i);
      const std::string number = draw_number(stream, digits);
      ASSERT_EQ(static_cast<int64_t>(number.size()), digits);
      for (size_t place = 0; place < number.size(); ++place) ++counts[place][static_cast<size_t>(number[place] - '0')];
    }
    // A count is binomial: 6 standard deviations are a false alarm in 5e8 counts.
    for (size_t place = 0; place < counts.size(); ++place) {
      const bool leads = place == 0 && digits > 1;
      EXPECT_TRUE(!leads || counts[place][0] == 0);
      for (size_t digit = leads ? 1 : 0; digit < 10; ++digit) {
        EXPECT_NEAR(counts[place][digit], leads ? 1000 : 900, 6 * 30) << digits << " digits, place " << place;
      }
    }
  }
}

TEST(Addition, TakesAnyNumberOfDigits) {
  const auto task = make_task("addition", "train_digits = 10\ntest_digits = 60\ntest_step = 20\ntest_samples = 2");
  std::set<std::pair<size_t, size_t>> pairs;
  for (const auto& sample : task->samples(Split::test, *words_for(*task))) {
    std::string prompt = sample.prompt.substr(std::string("Compute ").size());
    std::erase(prompt, ' ');
    const std::string a = prompt.substr(0, prompt.find('+'));
    const std::string b = prompt.substr(a.size() + 1, prompt.size() - a.size() - 2);
    EXPECT_EQ(static_cast<int64_t>(std::max(a.size(), b.size())), sample.length);
    EXPECT_EQ(sample.answer, " The answer is " + spaced(add_numbers(a, b)) + ".");
    pairs.emplace(a.size(), b.size());
  }
  EXPECT_EQ(pairs, (std::set<std::pair<size_t, size_t>>{{11, 11},
                                                        {11, 31},
                                                        {31, 11},
                                                        {31, 31},
                                                        {11, 51},
                                                        {51, 11},
                                                        {31, 51},
                                                        {51, 31},
                                                        {51, 51},
                                                        {20, 60},
                                                        {60, 20},
                                                        {40, 60},
                                                        {60, 40},
                                                        {60, 60}}));
}

}  // namespace
}  // namespace rfs
