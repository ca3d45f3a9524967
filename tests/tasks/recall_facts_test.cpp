// What is known of the data of the recall tasks: mqar (zoology) and mqmtar (ASEntmax).

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "make.h"
#include "rfs/core/error.h"
#include "rfs/tasks/draws.h"

namespace rfs {
namespace {

using Words = std::vector<std::string>;

TEST(Draws, OfDifferentNumbersAreUniform) {
  std::map<std::vector<uint64_t>, int> counts;
  for (uint64_t i = 0; i < 12'000; ++i) {
    Stream stream(1, "test", i);
    ++counts[draw_distinct(stream, 4, 2)];
  }
  EXPECT_EQ(counts.size(), 12u);  // ordered pairs of different numbers below 4
  for (const auto& [pair, count] : counts) EXPECT_NEAR(count, 1'000, 6 * 30.3);  // 6 standard deviations
  Stream stream(1, "test");
  auto all = draw_distinct(stream, 1'000, 1'000);
  std::sort(all.begin(), all.end());
  for (uint64_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], i);
}

TEST(Draws, WithWeightsHaveTheirLaw) {
  std::map<std::vector<uint64_t>, int> counts;
  constexpr int total = 60'000;
  for (uint64_t i = 0; i < total; ++i) {
    Stream stream(2, "test", i);
    ++counts[draw_weighted(stream, {1, 2, 3}, 2)];
  }
  for (const uint64_t first : {0, 1, 2}) {
    for (const uint64_t second : {0, 1, 2}) {
      if (first == second) continue;
      const double a = static_cast<double>(first) + 1, b = static_cast<double>(second) + 1;
      const double expected = a / 6 * b / (6 - a);
      const int count = counts[{first, second}];
      EXPECT_NEAR(count, total * expected, 6 * std::sqrt(total * expected * (1 - expected))) << first << second;
    }
  }
}

/// Where the queries of a split stand, as a share of the query part; checks every sample on the way.
double mean_query_place(const Task& task, int64_t words, int64_t tokens_per_pair) {
  const auto tokenizer = words_for(task);
  const Words list = tokenizer->words(words);
  const std::set<std::string> lower(list.begin(), list.begin() + words / 2),
      upper(list.begin() + words / 2, list.end());
  double places = 0, queries = 0;
  for (const auto& sample : task.samples(Split::test, *tokenizer)) {
    const Words given = words_of(sample.prompt), answer = words_of(sample.answer);
    const auto n = static_cast<size_t>(sample.length);
    EXPECT_EQ(given.size(), 3 + static_cast<size_t>(tokens_per_pair) * n);
    EXPECT_EQ(given[0] + given[1 + 2 * n] + given.back(), "Recall:[SEP][SEP]");
    std::map<std::string, std::string> pairs;
    std::set<std::string> values;
    for (size_t i = 1; i < 1 + 2 * n; i += 2) {
      EXPECT_TRUE(lower.contains(given[i]) && upper.contains(given[i + 1]));
      pairs[given[i]] = given[i + 1];
      values.insert(given[i + 1]);
    }
    EXPECT_EQ(pairs.size(), n);
    EXPECT_EQ(values.size(), n);
    Words expected;
    const size_t begin = 2 + 2 * n, end = given.size() - 1;
    for (size_t i = begin; i < end; ++i) {
      if (!pairs.contains(given[i])) continue;
      EXPECT_EQ((i - begin) % 2, 0u);
      expected.push_back(pairs[given[i]]);
      places += static_cast<double>(i - begin) / static_cast<double>(end - begin);
      ++queries;
    }
    EXPECT_EQ(expected.size(), n);
    EXPECT_EQ(answer, expected);
  }
  return places / queries;
}

TEST(Mqar, AsksForEachKeyOnceAtPowerLawGaps) {
  const std::string few = "train_samples = 100\ntest_samples = 20\n";
  // With a near 0, slot s has a weight near 1 / (s + 1); with a = 1 all slots have the same.
  EXPECT_LT(mean_query_place(*make_task("mqar", few), 8'192, 16), 0.35);
  EXPECT_NEAR(mean_query_place(*make_task("mqar", few + "power = 1.0"), 8'192, 16), 0.5, 0.02);
  mean_query_place(*make_task("mqar", few + "words = 128\ntokens_per_pair = 4"), 128, 4);
  EXPECT_THROW(make_task("mqar", "words = 127"), Error);
  EXPECT_THROW(make_task("mqar", "tokens_per_pair = 5"), Error);
}

TEST(Mqmtar, HasItsPairsBlanksAndQueries) {
  const auto task = make_task("mqmtar", "train_samples = 3000");
  const auto tokenizer = words_for(*task);
  std::set<std::string> all_keys, all_values;
  std::set<int64_t> lengths;
  for (const Split split : {Split::train, Split::test}) {
    for (const auto& sample : task->samples(split, *tokenizer)) {
      const Words given = words_of(sample.prompt);
      lengths.insert(sample.length);
      std::map<std::string, std::string> pairs;
      size_t blanks = 0, i = 1;
      while (given[i] != "?") {
        if (given[i] == "_") {
          ++blanks, ++i;
          continue;
        }
        ASSERT_EQ(given[i + 2] + given[i + 5], "=_") << sample.prompt;
        pairs[given[i] + " " + given[i + 1]] = given[i + 3] + " " + given[i + 4];
        i += 5;
      }
      ASSERT_EQ(static_cast<int64_t>(i) - 1, sample.length);
      const auto count = static_cast<int64_t>(pairs.size());
      EXPECT_EQ(count, sample.length * 8 / 10 / 6);
      EXPECT_EQ(static_cast<int64_t>(blanks), sample.length - 5 * count);
      std::string answer;
      int queries = 0;
      for (; given[i] == "?"; i += 3, ++queries) answer += " ? " + pairs.at(given[i + 1] + " " + given[i + 2]);
      EXPECT_EQ(queries, 4);
      EXPECT_EQ(i + 1, given.size());
      ASSERT_EQ(answer, sample.answer);
      for (const auto& [key, value] : pairs) all_keys.insert(key), all_values.insert(value);
    }
  }
  EXPECT_EQ(all_keys.size(), 10'000u);
  EXPECT_EQ(all_values.size(), 10'000u);
  EXPECT_EQ(lengths.size(), 33u + 6u);
  EXPECT_EQ(*lengths.rbegin(), 4'096);
  EXPECT_THROW(make_task("mqmtar", "dictionary = 70000"), Error);
  EXPECT_THROW(make_task("mqmtar", "dictionary = 500"), Error);
  EXPECT_THROW(make_task("mqmtar", "train_lengths = [7, 64]"), Error);
}

TEST(Mqmtar, TakesOtherSizes) {
  const auto task = make_task("mqmtar",
                              "train_samples = 100\nwords = 30\nkey_tokens = 3\nvalue_tokens = 1\nqueries = 2\n"
                              "density = 1.0\ndictionary = 20\ntrain_lengths = [12, 60]\ntest_lengths = [61, 120]\n");
  for (const auto& sample : task->samples(Split::test, *words_for(*task))) {
    const Words given = words_of(sample.prompt);
    EXPECT_EQ(static_cast<int64_t>(given.size()), 1 + sample.length + 2 * 4 + 1);
    EXPECT_EQ(std::count(given.begin(), given.end(), "="), sample.length / 6);
    EXPECT_EQ(words_of(sample.answer).size(), 4u);
  }
}

}  // namespace
}  // namespace rfs
