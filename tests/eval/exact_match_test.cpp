// Exact match by one teacher-forced pass against greedy decoding, on right and wrong answers.

#include "rfs/eval/exact_match.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "rfs/eval/answers.h"

namespace rfs {
namespace {

constexpr int64_t vocabulary = 9;
constexpr int32_t no_end =
    -1;  // answers use their whole budget, so that the planned n_in is the length of prompt and answer

std::unique_ptr<Decoder> decoder(const std::string& encoding) {
  const auto settings = Settings::from_text(
      "[model]\npreset = 'tiny'\nlayers = 2\nwidth = 16\nheads = 2\nhead_width = 8\nfeed_width = 32\ntied = false\n"
      "scale_head = false\n",
      "test");
  auto decoder = std::make_unique<Decoder>(DecoderOptions::read(settings.find("model")), vocabulary,
                                           Choice<PositionEncoding>::read(nullptr, encoding).make());
  decoder->initialise(11);
  return decoder;
}

/// Prompts have 2 to 12 random tokens. The expected answer is the model's own (right by construction). In every second
/// example one token of it is changed (wrong).
TEST(ExactMatch, AgreesWithGreedyDecoding) {
  int64_t checked = 0, right_ones = 0, changes = 0;
  for (const auto& encoding : Registry<PositionEncoding>::names()) {
    for (const auto& indexing_name : Registry<PositionIndexing>::names()) {
      for (const auto n_in : {InputLength::planned, InputLength::current}) {
        const auto model = decoder(encoding);
        const auto indexing = Choice<PositionIndexing>::read(nullptr, indexing_name).make();
        EvalOptions options;
        options.n_in = n_in;
        const EvalContext evaluated{*model, *indexing, 8, options};
        std::vector<std::vector<int32_t>> prompts;
        std::vector<Prompt> requests;
        for (uint64_t i = 0; i < 100; ++i) {
          Stream stream(1, "prompts", i);
          auto& prompt = prompts.emplace_back(2 + stream.below(11));
          for (auto& id : prompt) id = static_cast<int32_t>(1 + stream.below(vocabulary - 1));
        }
        for (uint64_t i = 0; i < prompts.size(); ++i) requests.push_back({prompts[i], 6, i});
        const auto given = greedy_answers(*model, evaluated, requests, {no_end});

        Examples examples;
        std::vector<bool> expected;
        for (size_t i = 0; i < given.size(); ++i) {
          ASSERT_EQ(given[i].size(), 6u);
          changes += std::adjacent_find(given[i].begin(), given[i].end(), std::not_equal_to<>()) != given[i].end();
          auto answer = given[i];
          Stream stream(1, "errors", i);
          const bool wrong = i % 2 == 1;
          if (wrong) {
            auto& id = answer[stream.below(answer.size())];
            id = static_cast<int32_t>((static_cast<uint64_t>(id) + 1 + stream.below(vocabulary - 1)) % vocabulary);
          }
          auto row = prompts[i];
          row.insert(row.end(), answer.begin(), answer.end());
          examples.add(row, static_cast<int64_t>(prompts[i].size()), static_cast<int64_t>(prompts[i].size()));
          expected.push_back(!wrong);
        }
        EXPECT_EQ(exact_match(evaluated, examples), expected)
            << encoding << " " << indexing_name << " " << enum_name(n_in);
        checked += examples.size();
        right_ones += std::count(expected.begin(), expected.end(), true);
      }
    }
  }
  EXPECT_GE(checked, 2000);
  EXPECT_GE(right_ones, 1000);
  EXPECT_GE(checked - right_ones, 1000);
  EXPECT_GE(changes, checked / 3) << "answers that only repeat one token would check little";
}

TEST(Generate, StopsAtTheEndOrTheBudget) {
  const auto model = decoder("rope");
  const auto indexing = Choice<PositionIndexing>::read(nullptr, "random_float").make();
  const EvalOptions options;
  const EvalContext evaluated{*model, *indexing, 8, options};
  const std::vector<int32_t> prompt = {1, 2, 3};
  const std::vector<Prompt> prompts = {{prompt, 6, 0}, {prompt, 0, 1}};
  const auto whole = greedy_answers(*model, evaluated, prompts, {no_end});
  EXPECT_EQ(whole[0].size(), 6u);
  EXPECT_TRUE(whole[1].empty());
  const auto ended = greedy_answers(*model, evaluated, prompts, {no_end, whole[0][2]});
  const auto first = static_cast<size_t>(std::find(whole[0].begin(), whole[0].end(), whole[0][2]) - whole[0].begin());
  EXPECT_EQ(ended[0],
            std::vector<int32_t>(whole[0].begin(), whole[0].begin() + static_cast<std::ptrdiff_t>(first) + 1));
}

TEST(Generate, DoesNotDependOnTheBatch) {
  for (const auto& encoding : Registry<PositionEncoding>::names()) {
    const auto model = decoder(encoding);
    const auto indexing = Choice<PositionIndexing>::read(nullptr, "random_float").make();
    std::vector<std::vector<int32_t>> texts(150);
    std::vector<Prompt> prompts;
    for (uint64_t i = 0; i < texts.size(); ++i) {
      Stream stream(3, "prompts", i);
      texts[i].resize(1 + stream.below(12));
      for (auto& id : texts[i]) id = static_cast<int32_t>(stream.below(vocabulary));
      prompts.push_back({texts[i], 1 + static_cast<int64_t>(stream.below(9)), i});
    }
    std::vector<std::vector<std::vector<int32_t>>> results;
    for (const int64_t tokens : {1, 50, 100'000}) {
      EvalOptions options;
      options.batch_tokens = tokens;
      int64_t last = 0;
      results.push_back(
          greedy_answers(*model, {*model, *indexing, 8, options}, prompts, {0}, [&](int64_t done, int64_t all) {
            EXPECT_TRUE(last <= done && done < all) << done;
            last = done;
          }));
    }
    EXPECT_EQ(results[0], results[1]) << encoding;
    EXPECT_EQ(results[0], results[2]) << encoding;
  }
}

TEST(ExactMatch, DoesNotDependOnTheBatch) {
  const auto model = decoder("rope");
  const auto indexing = Choice<PositionIndexing>::read(nullptr, "random_float").make();
  Examples examples;
  for (uint64_t i = 0; i < 200; ++i) {
    Stream stream(2, "examples", i);
    const int64_t size = 3 + static_cast<int64_t>(stream.below(10));
    std::vector<int32_t> row;
    for (int64_t t = 0; t < size; ++t) row.push_back(static_cast<int32_t>(stream.below(3)));
    examples.add(row, size - 1, size);
  }
  std::vector<std::vector<bool>> results;
  for (const int64_t tokens : {1, 50, 100'000}) {
    EvalOptions options;
    options.batch_tokens = tokens;
    results.push_back(exact_match({*model, *indexing, 8, options}, examples));
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
  const auto bins = by_length(examples, results[0], true);
  int64_t total = 0, correct = 0;
  for (const auto& bin : bins) total += bin.total, correct += bin.correct;
  EXPECT_EQ(total, 200);
  EXPECT_EQ(correct, std::count(results[0].begin(), results[0].end(), true));
  EXPECT_EQ(bins.front().length, 3);
}

}  // namespace
}  // namespace rfs
