// The texts of the long-context suite, and how answers are scored. Every task is made with the byte tokenizer, whose
// tokens are the bytes of the text.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "rfs/core/error.h"
#include "rfs/core/split.h"
#include "rfs/suite/filler.h"
#include "rfs/suite/fit.h"

namespace rfs {
namespace {

std::unique_ptr<LongTask> make_long(const std::string& name) {
  const auto& entry = Registry<LongTask>::find(name, "test");
  return entry.make(*entry.options());
}

std::unique_ptr<Tokenizer> tokenizer_named(const std::string& name) {
  return Choice<Tokenizer>::read(nullptr, name).make();
}

std::vector<std::string> words_in(const std::string& text) {
  const auto parts = split_words(text);
  return {parts.begin(), parts.end()};
}

/// What stands between the first `from` and the next `to`.
std::string between_texts(const std::string& text, const std::string& from, const std::string& to) {
  const size_t begin = text.find(from) + from.size();
  return text.substr(begin, text.find(to, begin) - begin);
}

std::map<std::string, int> counts_of(const std::string& list) {
  std::map<std::string, int> counts;
  for (const auto& word : words_in(list)) ++counts[word];
  return counts;
}

Stream stream_of(uint64_t sample) {
  return {1, "test", sample};
}

class EveryLongTask : public testing::TestWithParam<std::string> {};

TEST_P(EveryLongTask, FillsItsLength) {
  const auto task = make_long(GetParam());
  const auto bytes = tokenizer_named("bytes");
  for (const int64_t length : {3'000, 4'096, 20'000, 131'072}) {
    for (const uint64_t sample : {0, 1, 2}) {
      if (length > 20'000 && sample > 0) continue;  // one long text is enough
      const double depth = static_cast<double>(sample) / 2;
      const LongRow row = fit_sample(*task, *bytes, stream_of(sample), depth, length);
      const auto size = static_cast<int64_t>(row.prompt.size()) + row.budget;
      EXPECT_LE(size, length);
      EXPECT_GT(size, length - 100) << "a sentence has fewer bytes than this";
      EXPECT_EQ(row.budget, static_cast<int64_t>(row.sample.answer.size()) + 16);
      EXPECT_EQ(bytes->decode(row.prompt), row.sample.prompt);
      const auto more = task->sample(stream_of(sample), row.filler + 1, depth);
      EXPECT_GT(static_cast<int64_t>(more.prompt.size() + more.answer.size()) + 16, length);
      // The question does not depend on the amount of filler, and every reference is in the text.
      EXPECT_EQ(task->sample(stream_of(sample), 0, depth).references, row.sample.references);
      for (const auto& reference : row.sample.references) {
        EXPECT_NE(row.sample.prompt.find(reference), std::string::npos) << reference;
      }
      EXPECT_EQ(task->score(row.sample.answer, row.sample.references), 1);
      EXPECT_EQ(task->score("", row.sample.references), 0);
      const LongRow again = fit_sample(*task, *bytes, stream_of(sample), depth, length);
      EXPECT_EQ(again.sample.prompt, row.sample.prompt);
      EXPECT_NE(fit_sample(*task, *bytes, stream_of(sample + 1), depth, length).sample.prompt, row.sample.prompt);
    }
  }
}

TEST_P(EveryLongTask, RefusesLengthsThatAreTooShort) {
  const auto task = make_long(GetParam());
  const auto bytes = tokenizer_named("bytes");
  try {
    fit_sample(*task, *bytes, stream_of(0), 0, 60);
    FAIL();
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_TRUE(text.starts_with("needs at least ")) << text;
    const int64_t shortest = std::stoll(text.substr(15));
    EXPECT_EQ(fit_sample(*task, *bytes, stream_of(0), 0, shortest).filler, 0);
    EXPECT_THROW(fit_sample(*task, *bytes, stream_of(0), 0, shortest - 1), Error);
  }
}

/// One token per three bytes: about as many as gpt2 makes of such texts.
class ThreeBytes : public Tokenizer {
 public:
  std::vector<int32_t> encode(std::string_view text) const override {
    return std::vector<int32_t>((text.size() + 2) / 3);
  }
  std::string decode(std::span<const int32_t>) const override { return {}; }
  int64_t size() const override { return 1; }
  int32_t end() const override { return 0; }
  std::vector<std::string> words(int64_t) const override { return {}; }
};

TEST_P(EveryLongTask, FillsLongContextsOfSubwords) {
  const auto task = make_long(GetParam());
  for (const int64_t length : {100'000, 131'072}) {
    const LongRow row = fit_sample(*task, ThreeBytes(), stream_of(0), 0, length);
    const auto size = static_cast<int64_t>(row.prompt.size()) + row.budget;
    EXPECT_LE(size, length);
    EXPECT_GT(size, length - 40);
  }
}

TEST_P(EveryLongTask, NamesTheLongestLengthItHasTextFor) {
  const auto task = make_long(GetParam());
  if (task->max_filler() == std::numeric_limits<int64_t>::max()) return;  // it has text for any length
  try {
    fit_sample(*task, ThreeBytes(), stream_of(0), 0, 8'000'000);
    FAIL();
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_TRUE(text.starts_with("has text for at most ")) << text;
    const int64_t longest = std::stoll(text.substr(21));
    EXPECT_EQ(fit_sample(*task, ThreeBytes(), stream_of(0), 0, longest).filler, task->max_filler());
    EXPECT_THROW(fit_sample(*task, ThreeBytes(), stream_of(0), 0, longest + 1), Error);
  }
}

INSTANTIATE_TEST_SUITE_P(Registered, EveryLongTask, testing::ValuesIn(Registry<LongTask>::names()),
                         [](const auto& named) { return named.param; });

TEST(LongTasks, PutTheAnswerAtItsDepth) {
  for (const auto& name : {"passkey", "niah"}) {
    const auto task = make_long(name);
    ASSERT_TRUE(task->has_depth());
    for (const double depth : {0.0, 0.25, 0.5, 0.75, 1.0}) {
      const auto sample = task->sample(stream_of(3), 400, depth);
      const size_t begin = sample.prompt.find(". ") + 2, end = sample.prompt.find(" What is the");
      const auto place = static_cast<double>(sample.prompt.find(sample.references.front()) - begin);
      EXPECT_NEAR(place / static_cast<double>(end - begin), depth, 0.04) << name;
    }
  }
}

TEST(LongTasks, HideOneKeyTwice) {
  std::set<std::string> keys;
  for (uint64_t i = 0; i < 200; ++i) {
    const auto sample = make_long("passkey")->sample(stream_of(i), 50, 0.5);
    const std::string key = sample.references.front();
    EXPECT_TRUE(std::stoi(key) >= 1 && std::stoi(key) <= 50'000);
    EXPECT_NE(sample.prompt.find("The pass key is " + key + ". Remember it. " + key + " is the pass key."),
              std::string::npos);
    keys.insert(key);
  }
  EXPECT_GT(keys.size(), 190u);
}

TEST(LongTasks, GiveEveryNeedleItsOwnKey) {
  EXPECT_EQ(key_count(), 200 * 199);
  std::set<std::string> all;
  for (int64_t i = 0; i < key_count(); ++i) EXPECT_TRUE(all.insert(key(static_cast<uint64_t>(i))).second);
  for (const auto& word : key_words()) EXPECT_FALSE(all.contains(word + "-" + word));

  const auto sample = make_long("niah")->sample(stream_of(0), 500, 0.5);
  std::map<std::string, std::string> values;
  for (size_t at = 0; (at = sample.prompt.find("One of the special", at)) != std::string::npos; ++at) {
    const std::string rest = sample.prompt.substr(at);
    values[between_texts(rest, "numbers for ", " is: ")] = between_texts(rest, " is: ", ".");
  }
  EXPECT_EQ(values.size(), 501u);
  for (const auto& [key, value] : values) EXPECT_EQ(value.size(), 7u) << key;
  const std::string asked = between_texts(sample.prompt, "What is the special magic number for ", "?");
  EXPECT_EQ(values.at(asked), sample.references.front());
}

// Answers are scored by what they contain, so a word within another one would count as said.
TEST(LongTasks, UseNoWordWithinAnother) {
  for (const auto& word : key_words()) {
    for (const auto& other : key_words()) {
      EXPECT_TRUE(&word == &other || other.find(word) == std::string::npos) << word << " is in " << other;
    }
  }
  std::set<std::string> all;
  for (int64_t i = 0; i < invented_count(); ++i) {
    EXPECT_EQ(invented(static_cast<uint64_t>(i)).size(), 5u) << "words of one size cannot contain another";
    EXPECT_TRUE(all.insert(invented(static_cast<uint64_t>(i))).second);
  }
}

TEST(LongTasks, AssignAChainOfVariables) {
  for (uint64_t i = 0; i < 50; ++i) {
    const auto sample = make_long("variable_tracking")->sample(stream_of(i), 60, 0);
    std::map<std::string, std::string> values;
    for (size_t at = 0; (at = sample.prompt.find("The variable ", at)) != std::string::npos; ++at) {
      const std::string rest = sample.prompt.substr(at);
      const std::string name = between_texts(rest, "The variable ", " is set to ");
      const std::string value = between_texts(rest, " is set to ", ".");
      const std::string other = value.substr(value.rfind(' ') + 1);
      values[name] = values.contains(other) ? values.at(other) : value;
      EXPECT_EQ(name.size(), 5u);
    }
    EXPECT_EQ(values.size(), 5u);
    const std::string number = between_texts(sample.prompt, "Which variables have the value ", "?");
    for (const auto& [name, value] : values) EXPECT_EQ(value, number) << name;
    std::set<std::string> names;
    for (const auto& [name, value] : values) names.insert(name);
    EXPECT_EQ(std::set<std::string>(sample.references.begin(), sample.references.end()), names);
  }
}

TEST(LongTasks, AskForSeveralPairs) {
  const auto sample = make_long("mqar")->sample(stream_of(0), 300, 0);
  std::map<std::string, std::string> numbers;
  const auto list = words_in(between_texts(sample.prompt, "List: ", " What are"));
  ASSERT_EQ(list.size(), 3 * 304u);
  for (size_t i = 0; i < list.size(); i += 3) {
    EXPECT_EQ(list[i + 1], "=");
    EXPECT_TRUE(numbers.emplace(list[i], list[i + 2].substr(0, 5)).second) << list[i];
    EXPECT_EQ(list[i + 2].substr(5), ";");
  }
  std::vector<std::string> right;
  for (std::string key : words_in(between_texts(sample.prompt, "What are the numbers of ", "?"))) {
    if (key == "and") continue;
    if (key.ends_with(',')) key.pop_back();
    right.push_back(numbers.at(key));
  }
  EXPECT_EQ(right.size(), 4u);
  EXPECT_EQ(sample.references, right);
  EXPECT_NE(make_long("mqar")->sample(stream_of(1), 300, 0).references, right);
}

TEST(LongTasks, CountWordsAsTheySay) {
  const auto common = make_long("common_words")->sample(stream_of(0), 300, 0);
  const std::set<std::string> named(common.references.begin(), common.references.end());
  EXPECT_EQ(named.size(), 10u);
  const auto counts = counts_of(between_texts(common.prompt, "List: ", ". Which"));
  EXPECT_EQ(counts.size(), 310u);
  for (const auto& [word, count] : counts) EXPECT_EQ(count, named.contains(word) ? 30 : 3) << word;

  // In a long text, too, only the references occur 30 times: no word stands in several entries of the list.
  const auto longer = make_long("common_words")->sample(stream_of(0), 8'000, 0);
  EXPECT_EQ(longer.references, common.references);
  std::string list = between_texts(longer.prompt, "List: ", ". Which");
  std::replace(list.begin(), list.end(), '-', ' ');
  for (const auto& [word, count] : counts_of(list)) EXPECT_EQ(count, named.contains(word) ? 30 : 3) << word;

  for (const int64_t filler : {0, 13, 25, 1'960}) {
    const auto frequent = make_long("frequent_words")->sample(stream_of(7), filler, 0);
    std::vector<std::pair<int, std::string>> order;
    int total = 0;
    for (const auto& [word, count] : counts_of(between_texts(frequent.prompt, "Text: ", ". Which"))) {
      EXPECT_EQ(word.size(), 6u);
      order.emplace_back(count, word);
      total += count;
    }
    std::sort(order.rbegin(), order.rend());
    EXPECT_EQ(total, 40 + filler);
    for (size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(order[i].second, frequent.references[i]);
      EXPECT_GT(order[i].first, order[i + 1].first);
      EXPECT_NEAR(order[i].first, total / 1.6449 / static_cast<double>((i + 1) * (i + 1)), 0.51);
    }
  }
}

TEST(LongScores, AreSharesOfReferences) {
  const auto task = make_long("common_words");
  EXPECT_EQ(task->score(" river, CLOUD and stone", {"cloud", "river", "tower", "oven"}), 0.5);
  EXPECT_EQ(task->score("rivers", {"river"}), 1) << "contained is enough, as in RULER";
  EXPECT_EQ(make_long("niah")->score("it is 1234567.", {"1234567"}), 1);
  EXPECT_EQ(make_long("niah")->score("it is 123456 7.", {"1234567"}), 0);
  const auto passkey = make_long("passkey");
  for (const auto& [given, right] : std::map<std::string, int>{{" 123.", 1},
                                                               {" 123 or 124", 1},
                                                               {"key: 123", 1},
                                                               {" 124 or 123", 0},
                                                               {" 1234", 0},
                                                               {" 0123", 0},
                                                               {" unknown", 0}}) {
    EXPECT_EQ(passkey->score(given, {"123"}), right) << given;
  }
}

TEST(LongScores, NeedATokenizerOfText) {
  EXPECT_NO_THROW(require_text(*tokenizer_named("bytes"), "bytes"));
  const auto words = tokenizer_named("words");
  words->learn({{"Copy:", "[SEP]"}, 26});
  EXPECT_THROW(require_text(*words, "words"), Error);
  EXPECT_THROW(require_text(*tokenizer_named("ids"), "ids"), Error);
}

}  // namespace
}  // namespace rfs
