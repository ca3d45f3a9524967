#include "rfs/tasks/examples_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/tasks/samples_file.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;

class DataFiles : public testing::Test {
 protected:
  fs::path folder = fs::temp_directory_path() / ("rfs_data_test_" + std::to_string(getpid()));
  void TearDown() override { fs::remove_all(folder); }

  static Examples three() {
    Examples examples;
    examples.add(std::vector<int32_t>{1, 2, 3, 0}, 2, 5);
    examples.add(std::vector<int32_t>{4, 0}, 1, 6);
    examples.add(std::vector<int32_t>{2, 2, 2, 2, 0}, 4, 7);
    return examples;
  }
};

TEST_F(DataFiles, ComeBackAsTheyWere) {
  write_examples(folder / "x.bin", {three(), "use = 'words'", "abc", 5});
  const ExamplesFile file = map_examples(folder / "x.bin");
  fs::remove(folder / "x.bin");  // the mapping stays valid
  EXPECT_EQ(file.tokenizer, "use = 'words'");
  EXPECT_EQ(file.samples, "abc");
  EXPECT_EQ(file.vocabulary, 5);
  ASSERT_EQ(file.examples.size(), 3);
  for (int64_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(std::ranges::equal(file.examples.row(i), three().row(i)));
    EXPECT_EQ(file.examples.answer(i), three().answer(i));
    EXPECT_EQ(file.examples.length(i), three().length(i));
  }
  EXPECT_EQ(file.examples.longest(), 5);
  const std::vector<Sample> samples = {{"a \"b\"", " c\n", 3}, {"é", " d", 4}};
  write_samples(folder / "x.jsonl", samples);
  const auto again = read_samples(folder / "x.jsonl");
  ASSERT_EQ(again.size(), 2u);
  EXPECT_EQ(again[0].sample.prompt, samples[0].prompt);
  EXPECT_EQ(again[0].sample.answer, samples[0].answer);
  EXPECT_EQ(again[1].sample.length, 4);
  write_vocabulary(folder, {{"x", "y"}, 7});
  EXPECT_EQ(read_vocabulary(folder).fixed, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(read_vocabulary(folder).names, 7);
}

TEST_F(DataFiles, AreRefusedWhenCutOrChanged) {
  write_examples(folder / "x.bin", {three(), "words", "abc", 5});
  const std::string whole = read_file(folder / "x.bin");
  for (size_t size = 0; size < whole.size(); ++size) {
    write_file(folder / "y.bin", std::string_view(whole).substr(0, size));
    EXPECT_THROW(map_examples(folder / "y.bin"), Error) << size;
  }
  write_examples(folder / "y.bin", {three(), "words", "abc", 4});  // an id is too large
  EXPECT_THROW(map_examples(folder / "y.bin"), Error);
  EXPECT_THROW(map_examples(folder / "missing.bin"), Error);
  EXPECT_THROW(map_examples(folder), Error);
  for (const char* line :
       {"3", "{}", "{\"prompt\": \"a\", \"length\": 1}", "{\"prompt\": \"a\", \"answer\": \"b\", \"length\": 1.5}",
        "{\"prompt\": \"\", \"answer\": \"b\", \"length\": 1}",
        "{\"prompt\": \"a\", \"answer\": \"b\", \"length\": 1, \"split\": \"dev\"}", ""}) {
    write_file(folder / "y.jsonl", line);
    EXPECT_THROW(read_samples(folder / "y.jsonl"), Error) << line;
  }
}

TEST_F(DataFiles, SayWhatIsWrongWithALine) {
  const auto says = [&](const std::string& line) {
    write_file(folder / "y.jsonl", "{\"prompt\": \"a\", \"answer\": \"b\", \"length\": 1}\n" + line);
    try {
      read_samples(folder / "y.jsonl");
    } catch (const Error& error) {
      const std::string text = error.what();
      return text.substr(text.find("y.jsonl"));
    }
    return std::string("no error");
  };
  const auto with_length = [&](const std::string& length) {
    return says(R"({"prompt": "a", "answer": "b", "length": )" + length + "}");
  };
  const std::string length_must = "y.jsonl:2: length must be an integer from 1 to 1099511627776, got ";
  EXPECT_EQ(with_length("-1"), length_must + "-1");
  EXPECT_EQ(with_length("0"), length_must + "0");
  EXPECT_EQ(with_length("1.5"), length_must + "1.5");
  EXPECT_EQ(with_length("\"3\""), length_must + "\"3\"");
  EXPECT_EQ(with_length("18446744073709551615"), length_must + "18446744073709551615");
  EXPECT_EQ(says(R"({"prompt": "a", "length": 1})"), "y.jsonl:2: this line has no 'answer'");
  EXPECT_EQ(with_length("null"), length_must + "null");
  EXPECT_EQ(says("[1]"),
            "y.jsonl:2: not of the form {\"prompt\": text, \"answer\": text}, with a positive integer \"length\" or "
            "without");
  EXPECT_EQ(says(R"({"prompt": 3, "answer": "b", "length": 1})"), "y.jsonl:2: prompt must be a text, got 3");
  EXPECT_EQ(says(R"({"prompt": "a", "answer": " \n", "length": 1})"),
            "y.jsonl:2: answer must contain text, got \" \\n\"");
  EXPECT_EQ(says(R"({"prompt": "a", "answer": "b", "length": 1, "split": "dev"})"),
            "y.jsonl:2: split must be train, validation or test, got \"dev\"");
  EXPECT_LT(with_length("\"" + std::string(10'000'000, 'x') + "\"").size(), 200u);
}

TEST_F(DataFiles, CountTheWordsOfAPromptWithoutLength) {
  write_file(
      folder / "y.jsonl",
      "{\"prompt\": \"  a b\\tc\\n\", \"answer\": \"d\"}\n{\"prompt\": \"a b\", \"answer\": \"d\", \"length\": 7}\n");
  const auto samples = read_samples(folder / "y.jsonl");
  EXPECT_EQ(samples[0].sample.length, 3);
  EXPECT_TRUE(samples[0].counted);
  EXPECT_EQ(samples[1].sample.length, 7);
  EXPECT_FALSE(samples[1].counted);
}

TEST(Samples, KeepPromptAndAnswerApart) {
  const auto separated = [](Sample sample) {
    const bool changed = separate(sample);
    return std::pair(changed, sample.prompt + sample.answer);
  };
  EXPECT_EQ(separated({"Copy: a [SEP]", "a", 1}), std::pair(true, std::string("Copy: a [SEP] a")));
  EXPECT_EQ(separated({"Copy: a [SEP]", " a", 1}), std::pair(false, std::string("Copy: a [SEP] a")));
  EXPECT_EQ(separated({"Copy: a\n", "a", 1}), std::pair(false, std::string("Copy: a\na")));
}

TEST_F(DataFiles, EndWithOneId) {
  EXPECT_EQ(end_of(three(), "x.bin"), 0);
  EXPECT_EQ(end_of(Examples(), "x.bin"), std::nullopt);
  Examples examples = three();
  examples.add(std::vector<int32_t>{4, 3}, 1, 6);
  EXPECT_THROW(end_of(examples, "x.bin"), Error);
}

TEST(Windows, OfAStreamLargerThanMemoryAreThoseOfMemory) {
  const auto read = [](std::span<int32_t> tokens) {
    for (size_t i = 0; i < tokens.size(); ++i) tokens[i] = static_cast<int32_t>(i * i % 1000);
  };
  const auto folder = std::filesystem::temp_directory_path();
  const auto in_memory = windows_of(1001, 10, {}, read), in_file = windows_of(1001, 10, folder, read);
  ASSERT_EQ(in_file->size(), in_memory->size());
  for (int64_t i = 0; i < in_file->size(); ++i) {
    EXPECT_TRUE(std::ranges::equal(in_file->row(i), in_memory->row(i))) << i;
  }
}

}  // namespace
}  // namespace rfs
