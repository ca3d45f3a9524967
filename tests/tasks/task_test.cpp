// The contract of every registered task and tokenizer, and what the copy task promises.

#include "rfs/tasks/task.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "../data.h"
#include "rfs/tasks/examples.h"

namespace rfs {
namespace {

std::unique_ptr<Tokenizer> words_for(const Task& task) {
  auto tokenizer = Choice<Tokenizer>::read(nullptr, "words").make();
  tokenizer->learn(task.vocabulary());
  return tokenizer;
}

std::unique_ptr<Task> make(const std::string& name, const std::string& keys) {
  const auto settings = Settings::from_text("[task]\nuse = '" + name + "'\n" + keys, "test");
  return Choice<Task>::read(settings.find("task"), "").make();
}

class EveryTask : public testing::TestWithParam<std::string> {};

TEST_P(EveryTask, ListsHelpForEveryOption) {
  const auto& entry = Registry<Task>::find(GetParam(), "test");
  EXPECT_FALSE(entry.summary.empty());
  const auto options = entry.options();
  for (const auto& field : options->entries()) EXPECT_FALSE(field.help.empty()) << field.name;
}

TEST_P(EveryTask, IsDeterminedByItsOptionsAndFitsTheBuiltInTokenizer) {
  if (GetParam() == "scan") RFS_NEEDS_DATA();
  const auto task = make(GetParam(), GetParam() == "scan" ? "" : "train_samples = 1000");
  const auto tokenizer = words_for(*task);
  const auto unknown = tokenizer->encode("never-in-any-vocabulary").front();
  for (const Split split : {Split::train, Split::validation, Split::test}) {
    const auto samples = task->samples(split, *tokenizer), again = task->samples(split, *tokenizer);
    ASSERT_FALSE(samples.empty());
    const auto examples = tokenize(samples, *tokenizer);
    for (size_t i = 0; i < samples.size(); ++i) {
      EXPECT_EQ(samples[i].prompt + samples[i].answer, again[i].prompt + again[i].answer);
      const auto row = examples.row(static_cast<int64_t>(i));
      EXPECT_EQ(row.back(), tokenizer->end());
      EXPECT_GT(examples.answer(static_cast<int64_t>(i)), 0);
      EXPECT_LT(examples.answer(static_cast<int64_t>(i)), static_cast<int64_t>(row.size()));
      EXPECT_EQ(std::count(row.begin(), row.end(), unknown), 0);
      EXPECT_EQ(tokenizer->decode(row.first(row.size() - 1)), samples[i].prompt + samples[i].answer);
    }
  }
}

/// Every task that works without a folder of the user. `file` and `corpus` are tested in examples_file_test.cpp and
/// tests/cli/language_test.cpp.
std::vector<std::string> task_names() {
  auto names = Registry<Task>::names();
  std::erase(names, "file");
  std::erase(names, "corpus");
  return names;
}

INSTANTIATE_TEST_SUITE_P(Registered, EveryTask, testing::ValuesIn(task_names()),
                         [](const auto& named) { return named.param; });

TEST(Tokenize, OfManySamplesIsThatOfEach) {
  const auto task = make("sort", "train_samples = 5000");
  const auto tokenizer = words_for(*task);
  const auto samples = task->samples(Split::train, *tokenizer);
  const auto all = tokenize(samples, *tokenizer);
  ASSERT_EQ(all.size(), static_cast<int64_t>(samples.size()));
  for (int64_t i = 0; i < all.size(); ++i) {
    const auto one = tokenize(std::span(samples).subspan(static_cast<size_t>(i), 1), *tokenizer);
    ASSERT_TRUE(std::ranges::equal(all.row(i), one.row(0)));
    ASSERT_EQ(all.answer(i), one.answer(0));
    ASSERT_EQ(all.length(i), samples[static_cast<size_t>(i)].length);
  }
  EXPECT_EQ(tokenize({}, *tokenizer).size(), 0);
}

TEST(Tokenize, RefusesPromptsWithoutATokenOfTheirOwn) {
  const auto tokenizer = Choice<Tokenizer>::read(nullptr, "bytes").make();
  Sample sample;
  sample.answer = "2";
  EXPECT_THROW(tokenize({&sample, 1}, *tokenizer), Error);
  sample.prompt = "1";
  EXPECT_EQ(tokenize({&sample, 1}, *tokenizer).answer(0), 1);
}

class EveryTokenizer : public testing::TestWithParam<std::string> {};

TEST_P(EveryTokenizer, GivesBackItsOwnWords) {
  if (GetParam() != "words") RFS_NEEDS_DATA();
  auto tokenizer = Choice<Tokenizer>::read(nullptr, GetParam()).make();
  tokenizer->learn({{"Copy:", "[SEP]"}, 100});
  const auto words = tokenizer->words(100);
  EXPECT_EQ(words, tokenizer->words(100));
  EXPECT_EQ(std::set<std::string>(words.begin(), words.end()).size(), 100u);
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : " ") + word;
  const auto ids = tokenizer->encode(text);
  EXPECT_EQ(ids.size(), 100u);
  for (const int32_t id : ids) EXPECT_TRUE(id >= 0 && id < tokenizer->size() && id != tokenizer->end());
  EXPECT_EQ(tokenizer->decode(ids), text);
}

/// Every tokenizer that tasks can use. `bytes` has no words of one id each, and `hf` needs a file.
std::vector<std::string> tokenizer_names() {
  auto names = Registry<Tokenizer>::names();
  std::erase(names, "bytes");
  std::erase(names, "hf");
  return names;
}

INSTANTIATE_TEST_SUITE_P(Registered, EveryTokenizer, testing::ValuesIn(tokenizer_names()),
                         [](const auto& named) { return named.param; });

TEST(Copy, MakesWhatThePaperDescribes) {
  const auto task = make("copy", "");
  const auto tokenizer = words_for(*task);
  const auto train = task->samples(Split::train, *tokenizer);
  EXPECT_EQ(train.size(), 100'000u);
  std::map<int64_t, int64_t> bins;
  std::set<std::string> words;
  for (const auto& sample : train) {
    ++bins[sample.length];
    ASSERT_EQ(sample.prompt, "Copy:" + sample.answer + " [SEP]");
    ASSERT_EQ(std::count(sample.answer.begin(), sample.answer.end(), ' '), sample.length);
    for (const int32_t id : tokenizer->encode(sample.answer)) words.insert(tokenizer->decode(std::vector{id}));
  }
  EXPECT_EQ(bins.size(), 19u);
  EXPECT_EQ(bins.begin()->first, 2);
  EXPECT_EQ(bins.rbegin()->first, 20);
  for (const auto& [length, count] : bins) EXPECT_NEAR(static_cast<double>(count), 100'000.0 / 19, 1);
  EXPECT_EQ(words.size(), 100u);
  EXPECT_EQ(tokenize(train, *tokenizer).longest(), 2 * 20 + 3);

  std::map<int64_t, int64_t> test_bins;
  for (const auto& sample : task->samples(Split::test, *tokenizer)) ++test_bins[sample.length];
  EXPECT_EQ(test_bins.size(), 20u);
  for (const auto& [length, count] : test_bins) EXPECT_EQ(count, 500);
}

TEST(Copy, KeepsValidationOutOfTrainingWhereThereIsRoom) {
  const auto task = make("copy", "words = 26\ntrain_lengths = [1, 10]\nvalidation_samples = 100");
  const auto tokenizer = words_for(*task);
  std::set<std::string> held_out;
  for (const auto& sample : task->samples(Split::validation, *tokenizer)) {
    if (sample.length >= 2) held_out.insert(sample.prompt);  // there are only 26 samples of one word, but 676 of two
  }
  for (const auto& sample : task->samples(Split::train, *tokenizer)) ASSERT_FALSE(held_out.contains(sample.prompt));
}

TEST(Copy, RefusesLengthsItCouldNotMeasure) {
  const auto few = make("copy", "train_samples = 18");
  EXPECT_THROW(few->samples(Split::train, *words_for(*few)), Error);
  EXPECT_THROW(make("copy", "test_lengths = [20, 30]"), Error);
}

TEST(Words, EncodesAndDecodes) {
  auto tokenizer = Choice<Tokenizer>::read(nullptr, "words").make();
  tokenizer->learn({{"Copy:", "a"}, 200});
  EXPECT_EQ(tokenizer->size(), 2 + 2 + 200);
  const auto names = tokenizer->words(200);
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), 200u);
  EXPECT_EQ(names[0], "b");  // the template uses `a`
  for (const auto& name : names) EXPECT_EQ(tokenizer->encode(name).size(), 1u);
  EXPECT_EQ(tokenizer->encode("  Copy: b   c</s>"), (std::vector<int32_t>{2, 4, 5, 0}));
  EXPECT_EQ(tokenizer->decode(std::vector<int32_t>{2, 4, 5, 0}), "Copy: b c</s>");
  EXPECT_EQ(tokenizer->encode("nowhere"), std::vector<int32_t>{1});
  EXPECT_EQ(tokenizer->decode(std::vector<int32_t>{-3, 9999}), "<unk> <unk>");
  EXPECT_TRUE(tokenizer->encode("").empty());
  EXPECT_THROW(tokenizer->words(201), Error);
}

}  // namespace
}  // namespace rfs
