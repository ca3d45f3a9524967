// The tasks of Ruoss et al. 2023: every answer is computed a second time, in another way.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "make.h"
#include "rfs/core/error.h"

namespace rfs {
namespace {

using Words = std::vector<std::string>;

/// Checks the answers of all splits with `solve`, and the lengths; returns how often the test has each answer.
std::map<std::string, double> check(const std::string& name, int64_t shortest,
                                    const std::function<void(const Words& given, const Words& answer)>& solve,
                                    const std::string& keys = "") {
  const auto task = make_task(name, "train_samples = 2000\nvalidation_samples = 10\n" + keys);
  const auto tokenizer = words_for(*task);
  std::map<std::string, double> answers;
  for (const Split split : {Split::train, Split::validation, Split::test}) {
    std::map<int64_t, int64_t> lengths;
    const auto samples = task->samples(split, *tokenizer);
    for (const auto& sample : samples) {
      Words given = words_of(sample.prompt);
      EXPECT_EQ(given.back(), "[SEP]");
      given = Words(given.begin() + 1, given.end() - 1);
      EXPECT_EQ(static_cast<int64_t>(given.size()), sample.length);
      solve(given, words_of(sample.answer));
      if (testing::Test::HasFailure()) return answers;
      if (split == Split::test) answers[sample.answer] += 1.0 / static_cast<double>(samples.size());
      ++lengths[sample.length];
    }
    EXPECT_EQ(lengths.begin()->first, split == Split::test ? 41 : shortest);
    EXPECT_GE(lengths.rbegin()->first, split == Split::test ? 499 : 39);
    EXPECT_EQ(lengths.size(), split == Split::test   ? 18u
                              : lengths.contains(40) ? 41u - static_cast<size_t>(shortest)
                                                     : 20u);
  }
  return answers;
}

/// 6 standard deviations of a share of the 1800 test samples are at most .071.
void expect_even(const std::map<std::string, double>& answers, size_t count) {
  EXPECT_EQ(answers.size(), count);
  for (const auto& [answer, share] : answers) EXPECT_NEAR(share, 1.0 / static_cast<double>(count), 0.071) << answer;
}

TEST(ParityCheck, CountsOnes) {
  const auto answers = check("parity_check", 1, [](const Words& given, const Words& answer) {
    bool odd = false;
    for (const auto& bit : given) odd = odd != (bit == "1");
    ASSERT_EQ(answer, Words{odd ? "1" : "0"});
  });
  expect_even(answers, 2);
}

TEST(EvenPairs, CountsUnequalNeighbours) {
  const auto answers = check("even_pairs", 1, [](const Words& given, const Words& answer) {
    int pairs = 0;
    for (size_t i = 1; i < given.size(); ++i) pairs += given[i - 1] != given[i] ? 1 : 0;
    ASSERT_EQ(answer, Words{pairs % 2 == 1 ? "1" : "0"});
  });
  expect_even(answers, 2);
}

TEST(CycleNavigation, EndsWhereItWalks) {
  const auto walk = [](int places) {
    return [places](const Words& given, const Words& answer) {
      int place = 0;
      for (const auto& step : given) {
        if (step == "right") place = place == places - 1 ? 0 : place + 1;
        if (step == "left") place = place == 0 ? places - 1 : place - 1;
      }
      ASSERT_EQ(answer, Words{std::to_string(place)});
    };
  };
  expect_even(check("cycle_navigation", 1, walk(5)), 5);
  expect_even(check("cycle_navigation", 1, walk(3), "places = 3"), 3);
}

TEST(BucketSort, KeepsSymbolsInOrder) {
  for (const int symbols : {5, 32}) {
    std::set<int> seen;
    const auto sorted = [&](const Words& given, const Words& answer) {
      std::map<int, int> counts;
      for (const auto& word : given) ++counts[std::stoi(word)];
      Words expected;
      for (const auto& [number, count] : counts) {
        expected.insert(expected.end(), static_cast<size_t>(count), std::to_string(number));
        seen.insert(number);
      }
      ASSERT_EQ(answer, expected);
    };
    check("bucket_sort", 1, sorted, "symbols = " + std::to_string(symbols));
    EXPECT_EQ(static_cast<int>(seen.size()), symbols);
  }
}

TEST(MissingDuplicate, FindsTheSymbolOfTheOtherHalf) {
  const auto answers = check("missing_duplicate", 2, [](Words given, const Words& answer) {
    ASSERT_EQ(given.back() == ".", given.size() % 2 == 1);
    if (given.back() == ".") given.pop_back();
    ASSERT_EQ(std::count(given.begin(), given.end(), "_"), 1);
    *std::find(given.begin(), given.end(), "_") = answer.at(0);
    const auto middle = given.begin() + static_cast<std::ptrdiff_t>(given.size() / 2);
    ASSERT_EQ(Words(given.begin(), middle), Words(middle, given.end()));
  });
  expect_even(answers, 2);
  EXPECT_THROW(make_task("missing_duplicate", "train_lengths = [1, 40]"), Error);
}

TEST(DuplicateString, SaysItTwice) {
  check("duplicate_string", 1, [](const Words& given, const Words& answer) {
    ASSERT_EQ(answer.size(), 2 * given.size());
    for (size_t i = 0; i < answer.size(); ++i) ASSERT_EQ(answer[i], given[i % given.size()]);
  });
}

TEST(OddsFirst, TakesEverySecondSymbol) {
  check("odds_first", 1, [](const Words& given, const Words& answer) {
    const size_t odds = (given.size() + 1) / 2;
    ASSERT_EQ(answer.size(), given.size());
    for (size_t i = 0; i < answer.size(); ++i) ASSERT_EQ(answer[i], given[i < odds ? 2 * i : 2 * (i - odds) + 1]);
  });
}

TEST(StackManipulation, PushesAndPops) {
  int empty = 0;
  check("stack_manipulation", 1, [&](const Words& given, const Words& answer) {
    std::string stack;
    bool actions = false;
    for (const auto& word : given) {
      if (word == "pop") {
        stack = stack.substr(0, stack.empty() ? 0 : stack.size() - 1);
      } else {
        stack += word.back();
      }
      ASSERT_FALSE(actions && word.size() == 1) << "a symbol of the first stack among the actions";
      actions = word.size() > 1;
    }
    std::string given_back;
    for (auto word = answer.rbegin(); word != answer.rend(); ++word) given_back += *word;
    ASSERT_EQ(given_back, stack.empty() ? "empty" : stack);
    empty += stack.empty() ? 1 : 0;
  });
  EXPECT_GT(empty, 0);
}

/// The value of an expression modulo 5: sums of products of numbers, signed numbers and brackets.
class Evaluator {
 public:
  explicit Evaluator(Words words) : words_(std::move(words)) { words_.emplace_back("end"); }
  int value() {
    const int result = sum();
    EXPECT_EQ(words_[at_], "end");
    return result;
  }

 private:
  int sum() {
    int result = product();
    while (words_[at_] == "+" || words_[at_] == "-") {
      const int sign = words_[at_++] == "+" ? 1 : -1;
      result += sign * product();
    }
    return (result % 5 + 5) % 5;
  }
  int product() {
    int result = factor();
    while (words_[at_] == "*") {
      ++at_;
      result = result * factor() % 5;
    }
    return result;
  }
  int factor() {
    const std::string word = words_[at_++];
    if (word == "-") return -factor();
    if (word != "(") return std::stoi(word);
    const int result = sum();
    EXPECT_EQ(words_[at_++], ")");
    return result;
  }

  Words words_;
  size_t at_ = 0;
};

TEST(ModularArithmetic, EvaluatesExpressions) {
  const auto evaluates = [](const Words& given, const Words& answer) {
    ASSERT_EQ(answer, Words{std::to_string(Evaluator(given).value())});
  };
  expect_even(check("modular_arithmetic", 1, evaluates), 5);
  EXPECT_EQ(check("modular_arithmetic", 1, evaluates, "products = true").size(), 5u);
  EXPECT_EQ(check("modular_arithmetic_simple", 1, evaluates).size(), 5u);
}

TEST(SolveEquation, HasOneSolution) {
  const auto answers = check("solve_equation", 3, [](const Words& given, const Words& answer) {
    ASSERT_EQ(std::count(given.begin(), given.end(), "x"), 1);
    ASSERT_EQ(given[given.size() - 2], "=");
    for (int x = 0; x < 5; ++x) {
      Words left(given.begin(), given.end() - 2);
      *std::find(left.begin(), left.end(), "x") = std::to_string(x);
      ASSERT_EQ(Evaluator(left).value() == std::stoi(given.back()), answer == Words{std::to_string(x)});
    }
  });
  expect_even(answers, 5);
}

TEST(BinaryMultiplication, MultipliesModuloPrimes) {
  check("binary_multiplication", 3, [](const Words& given, const Words& answer) {
    const auto star = std::find(given.begin(), given.end(), "*");
    ASSERT_TRUE(std::find(given.begin(), star, "1") != star && std::find(star, given.end(), "1") != given.end());
    ASSERT_EQ(answer.back(), "1");
    ASSERT_LT(answer.size(), given.size());
    for (const uint64_t prime : primes) {
      const uint64_t a = modulo(std::make_reverse_iterator(star), given.rend(), 2, prime);
      const uint64_t b = modulo(given.rbegin(), std::make_reverse_iterator(star + 1), 2, prime);
      ASSERT_EQ(a * b % prime, modulo(answer.rbegin(), answer.rend(), 2, prime));
    }
  });
}

/// Bits of a * a, most significant first, in `size` bits.
std::vector<int> squared(const std::vector<int>& a, size_t size) {
  std::vector<int> bits(size + 2 * a.size());
  for (size_t i = 0; i < a.size(); ++i) {
    for (size_t j = 0; j < a.size(); ++j) bits[bits.size() - 1 - i - j] += a[a.size() - 1 - i] * a[a.size() - 1 - j];
  }
  for (size_t i = bits.size() - 1; i > 0; --i) {
    bits[i - 1] += bits[i] / 2;
    bits[i] %= 2;
  }
  return {bits.end() - static_cast<std::ptrdiff_t>(size), bits.end()};
}

TEST(ComputeSqrt, IsTheLargestRoot) {
  check("compute_sqrt", 1, [](const Words& given, const Words& answer) {
    ASSERT_EQ(answer.size(), (given.size() + 1) / 2);
    std::vector<int> root = {0}, number = {0, 0, 0};
    for (const auto& bit : answer) root.push_back(bit == "1" ? 1 : 0);
    if (given.size() % 2 == 1) number.push_back(0);
    for (const auto& bit : given) number.push_back(bit == "1" ? 1 : 0);
    ASSERT_LE(squared(root, number.size()), number);
    size_t place = root.size() - 1;  // the next root: root + 1
    for (; root[place] == 1; --place) root[place] = 0;
    root[place] = 1;
    ASSERT_GT(squared(root, number.size()), number);
  });
}

}  // namespace
}  // namespace rfs
