// A user's own task in one file, as CONTRIBUTING.md describes it. No other file of the project mentions it.

#include <gtest/gtest.h>

#include <cmath>

#include "rfs/tasks/examples.h"
#include "rfs/tasks/generated.h"

namespace rfs {
namespace {

/// `Count: x x x [SEP] 3`: count the words, up to nine.
class Count : public Task {
 public:
  struct Options : LengthOptions {
    Options() : LengthOptions(2, 2, {1, 5}, {6, 9}, "words") { train_samples = 100; }
  };
  explicit Count(const Options& options) : options_(options) { options.require_longer_tests(); }

  Vocabulary vocabulary() const override {
    return {{"Count:", "x", "[SEP]", "1", "2", "3", "4", "5", "6", "7", "8", "9"}, 0};
  }
  std::vector<Sample> samples(Split split, const Tokenizer&) const override {
    const auto sample = [](Stream&, int64_t length) {
      std::string prompt = "Count:";
      for (int64_t i = 0; i < length; ++i) prompt += " x";
      return Sample{prompt + " [SEP]", " " + std::to_string(length), length};
    };
    return spread_lengths(options_, split, sample, [](int64_t) { return 1.0; });
  }

 private:
  Options options_;
};

const bool registered = Registry<Task>::add<Count>("count words");

TEST(OwnTask, IsKnownByItsFileAndMakesExamples) {
  const auto settings = Settings::from_text("[task]\nuse = 'own_task_test'\ntest_lengths = [7, 8]\n", "test");
  const auto task = Choice<Task>::read(settings.find("task"), "").make();
  auto tokenizer = Choice<Tokenizer>::read(nullptr, "words").make();
  tokenizer->learn(task->vocabulary());
  const auto train = tokenize(task->samples(Split::train, *tokenizer), *tokenizer);
  const auto test = tokenize(task->samples(Split::test, *tokenizer), *tokenizer);
  EXPECT_EQ(train.size(), 100);
  EXPECT_EQ(test.size(), 4);
  EXPECT_EQ(train.longest(), 1 + 5 + 1 + 1 + 1);
  EXPECT_EQ(tokenizer->decode(test.row(0)), "Count: x x x x x x x [SEP] 7</s>");
}

}  // namespace
}  // namespace rfs
