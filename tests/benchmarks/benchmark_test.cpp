// Documents of each benchmark, read from both kinds of file, against those of lm-evaluation-harness.

#include "rfs/benchmarks/benchmark.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <map>
#include <set>

#include "../data.h"
#include "rfs/core/files.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;

class Benchmarks : public testing::Test {
 protected:
  fs::path folder = fs::temp_directory_path() / ("rfs_benchmark_test_" + std::to_string(getpid()));
  void TearDown() override { fs::remove_all(folder); }

  std::vector<Document> read(const std::string& name, const std::string& lines, const std::string& set = "") {
    Settings settings;
    if (!set.empty()) settings.assign(set);
    const auto benchmark = Choice<Benchmark>::read(settings.find("benchmark"), name).make();
    write_file(folder / "file.jsonl", lines);
    return read_documents(*benchmark, folder / "file.jsonl");
  }
  Document one(const std::string& name, const std::string& line, const std::string& set = "") {
    return read(name, line, set).at(0);
  }
  /// The error message for a broken file, without the file name.
  std::string mistake(const std::string& name, const std::string& lines) {
    try {
      read(name, lines);
    } catch (const Error& error) {
      const std::string text = error.what(), path = (folder / "file.jsonl").string();
      return text.starts_with(path) ? text.substr(path.size()) : text;
    }
    return "";
  }
};

using Texts = std::vector<std::string>;

TEST_F(Benchmarks, Arc) {
  for (const std::string name : {"arc_easy", "arc_challenge"}) {
    const auto published =
        one(name, R"({"id": "x", "question": {"stem": "Why?", "choices": [{"text": "a b", "label": "A"}, )"
                  R"({"text": "c", "label": "B"}, {"text": "d", "label": "C"}]}, "answerKey": "B"})");
    EXPECT_EQ(published.contexts, Texts{"Question: Why?\nAnswer:"});
    EXPECT_EQ(published.choices, (Texts{"a b", "c", "d"}));
    EXPECT_EQ(published.gold, 1u);
    const auto numbered = one(name, R"({"question": {"stem": "Why?", "choices": [{"text": "a", "label": "1"}, )"
                                    R"({"text": "c", "label": "2"}]}, "answerKey": "2"})");
    EXPECT_EQ(numbered.gold, 1u);
    const auto short_form = one(name, R"({"id": "x", "question": "Why?", "choices": ["a b", "c", "d"], "gold": 1})");
    EXPECT_EQ(short_form.contexts, published.contexts);
    EXPECT_EQ(short_form.choices, published.choices);
    EXPECT_EQ(short_form.gold, 1u);
  }
}

TEST_F(Benchmarks, OpenBookQa) {
  const auto published =
      one("openbookqa", R"({"id": "7", "question": {"stem": "The sun", "choices": [{"text": "sets", "label": "A"}, )"
                        R"({"text": "sings", "label": "B"}]}, "answerKey": "A"})");
  EXPECT_EQ(published.contexts, Texts{"The sun"});
  EXPECT_EQ(published.choices, (Texts{"sets", "sings"}));
  EXPECT_EQ(published.gold, 0u);
  EXPECT_EQ(one("openbookqa", R"({"question": "The sun", "choices": ["sets", "sings"], "gold": 1})").gold, 1u);
}

TEST_F(Benchmarks, BoolQ) {
  for (const std::string label :
       {R"("gold": 1)", R"("label": 1)", R"("label": true)", R"("label": "true")", R"("answer": true)"}) {
    const auto document = one("boolq", R"({"passage": "A b.", "question": "is it c", )" + label + "}");
    EXPECT_EQ(document.contexts, Texts{"A b.\nQuestion: is it c?\nAnswer:"});
    EXPECT_EQ(document.choices, (Texts{"no", "yes"}));
    EXPECT_EQ(document.gold, 1u) << label;
  }
  EXPECT_EQ(one("boolq", R"({"passage": "A b.", "question": "is it c", "label": false})").gold, 0u);
}

TEST_F(Benchmarks, WinoGrande) {
  const auto document =
      one("winogrande", R"({"qID": "3", "sentence": "The cup and the box: _ was  full. ", "option1": "the cup", )"
                        R"("option2": "the box", "answer": "2"})");
  EXPECT_EQ(document.contexts, (Texts{"The cup and the box: the cup", "The cup and the box: the box"}));
  EXPECT_EQ(document.choices, (Texts{"was  full.", "was  full."}));
  EXPECT_EQ(document.gold, 1u);
  EXPECT_EQ(document.context(1), "The cup and the box: the box");
}

TEST_F(Benchmarks, HellaSwag) {
  const auto published =
      one("hellaswag", R"({"ind": 4, "activity_label": " Cooking", "ctx_a": "[header] How to cook [title] Wash. )"
                       R"([step]  Take   it.", "ctx_b": "tHE Cook", "ctx": "no", "endings": ["[substeps] a  b ", "c", )"
                       R"("[x", "d]"], "label": 2})");
  EXPECT_EQ(published.contexts, Texts{"Cooking: How to cook. Wash.  Take  it. The cook"});
  EXPECT_EQ(published.choices, (Texts{" a b", "c", "[x", "d]"}));
  EXPECT_EQ(published.gold, 2u);
  EXPECT_EQ(
      one("hellaswag", R"({"activity_label": "", "ctx_a": "a", "ctx_b": "", "endings": ["b", "c"], "label": "1"})")
          .gold,
      1u);
  const auto short_form = one("hellaswag", R"({"ctx": "Roof: A [x] man  sits. he", "choices": ["a", "b"], "gold": 0})");
  EXPECT_EQ(short_form.contexts, Texts{"Roof: A [x] man  sits. he"});  // already cleaned, so it stays as it is
}

TEST_F(Benchmarks, Race) {
  const std::string line =
      R"({"id": "high1.txt", "article": "An article.", "questions": ["He is a  _  .", "Why?", "Who  _  ."], )"
      R"("options": [["cat", "dog"], ["so", "not"], ["I", "you", "they", "we"]], "answers": ["B", "A", "D"]})";
  const auto second = one("race", line, "benchmark.version=2"), third = one("race", line);
  EXPECT_EQ(second.contexts, Texts{"Article: An article.\n\n _  .dog\nQuestion: Why?\nAnswer: so\nWho  _  ."});
  EXPECT_EQ(third.contexts, Texts{"Article: An article.\n\nHe is a dog\nQuestion: Why?\nAnswer: so\nWho  _  ."});
  EXPECT_EQ(second.choices, (Texts{"I", "you", "they", "we"}));
  EXPECT_EQ(second.gold, 3u);
  // The published form: a folder with one file per article.
  write_file(folder / "high/2.txt", line);
  write_file(folder / "high/1.txt",
             R"({"article": "B", "questions": ["C"], "options": [["d", "e"]], "answers": ["A"]})");
  const auto documents = read_documents(*Choice<Benchmark>::read(nullptr, "race").make(), folder / "high");
  ASSERT_EQ(documents.size(), 2u);
  EXPECT_EQ(documents[0].contexts, Texts{"Article: B\n\nC"});
}

// JSON lines as written by Hugging Face's `datasets`.
TEST_F(Benchmarks, InTheFormOfHuggingFace) {
  for (const std::string name : {"arc_easy", "arc_challenge"}) {
    const auto arc = one(name, R"({"id": "x", "question": "Why?", "choices": {"text": ["a b", "c", "d"], )"
                               R"("label": ["A", "B", "C"]}, "answerKey": "B"})");
    EXPECT_EQ(arc.contexts, Texts{"Question: Why?\nAnswer:"});
    EXPECT_EQ(arc.choices, (Texts{"a b", "c", "d"}));
    EXPECT_EQ(arc.gold, 1u);
  }
  const auto book = one("openbookqa", R"({"id": "7", "question_stem": "The sun", "choices": {"text": ["sets", )"
                                      R"("sings"], "label": ["A", "B"]}, "answerKey": "B"})");
  EXPECT_EQ(book.contexts, Texts{"The sun"});
  EXPECT_EQ(book.choices, (Texts{"sets", "sings"}));
  EXPECT_EQ(book.gold, 1u);
  const auto swag = one("hellaswag", R"({"ind": 4, "activity_label": "Roof", "ctx_a": "A man.", "ctx_b": "he", )"
                                     R"("ctx": "A man. he", "endings": ["a", "b", "c", "d"], "source_id": "s", )"
                                     R"("split": "val", "split_type": "indomain", "label": "3"})");
  EXPECT_EQ(swag.contexts, Texts{"Roof: A man. He"});
  EXPECT_EQ(swag.gold, 3u);
  EXPECT_EQ(one("winogrande", R"({"sentence": "A or B: _ is.", "option1": "A", "option2": "B", "answer": "1"})").gold,
            0u);
  EXPECT_EQ(one("boolq", R"({"question": "is it", "passage": "P", "idx": 3, "label": 1})").gold, 1u);
  EXPECT_EQ(one("boolq", R"({"question": "is it", "answer": true, "passage": "P"})").gold, 1u);
  // RACE has one record per question. Questions about the same article form one document, as in the published form.
  const auto race = [](const std::string& article, const std::string& rest) {
    return R"({"example_id": "high1.txt", "article": ")" + article + "\", " + rest + "}\n";
  };
  const auto documents = read(
      "race", race("An article.", R"("answer": "B", "question": "He is a  _  .", "options": ["cat", "dog"])") +
                  race("An article.", R"("answer": "A", "question": "Why?", "options": ["so", "not"])") +
                  race("An article.", R"("answer": "D", "question": "Who", "options": ["I", "you", "they", "we"])") +
                  race("Another.", R"("answer": "B", "question": "What?", "options": ["x", "y"])"));
  ASSERT_EQ(documents.size(), 2u);
  EXPECT_EQ(documents[0].contexts, Texts{"Article: An article.\n\nHe is a dog\nQuestion: Why?\nAnswer: so\nWho"});
  EXPECT_EQ(documents[0].choices, (Texts{"I", "you", "they", "we"}));
  EXPECT_EQ(documents[0].gold, 3u);
  EXPECT_EQ(documents[1].contexts, Texts{"Article: Another.\n\nWhat?"});
  EXPECT_EQ(documents[1].gold, 1u);
}

TEST_F(Benchmarks, MistakesGetOneLine) {
  const std::string arc = "arc_easy", good = R"({"question": "q", "choices": ["a", "b"], "gold": 0})";
  EXPECT_EQ(mistake(arc, good), "");
  EXPECT_EQ(mistake(arc, ""), ": no documents found");
  EXPECT_EQ(mistake(arc, good + "\n{"), ":2: not a JSON object");
  EXPECT_EQ(mistake(arc, good + "\n\n{\"question\": \"\xff\"}"), ":3: must be UTF-8, got byte 0xff at column 15");
  EXPECT_EQ(mistake(arc, R"({"question": "q", "choices": [], "gold": 0})"),
            ":1: the list of choices must have two or more, got none");
  EXPECT_EQ(mistake(arc, R"({"question": "q", "choices": ["a"], "gold": 0})"),
            ":1: the list of choices must have two or more, got 1");
  EXPECT_EQ(mistake(arc, R"({"question": "q", "choices": ["a", ""], "gold": 0})"),
            ":1: a choice must contain text, got none");
  EXPECT_EQ(mistake(arc, R"({"question": "q", "choices": ["a", "b"], "gold": 2})"),
            ":1: gold must be one of 0, 1, got \"2\"");
  EXPECT_EQ(mistake(arc, R"({"question": "q", "choices": ["a", 3], "gold": 1})"),
            ":1: choices must be a list of texts, got something else");
  EXPECT_EQ(mistake(arc, R"({"question": {"stem": "q", "choices": [{"text": "a", "label": "A"}]}, "answerKey": "E"})"),
            ":1: answerKey must be one of A, got \"E\"");
  EXPECT_EQ(mistake(arc, R"({"question": "q"})"), ":1: choices must be a list of objects, got nothing");
  EXPECT_EQ(mistake(arc, R"({"question": "q", "choices": {"text": ["a", "b"], "label": ["A"]}, "answerKey": "A"})"),
            ":1: choices.text and choices.label must be lists of the same size, got 2 and 1");
  EXPECT_EQ(mistake(arc, R"({"question": "q", "choices": {"text": ["a", "b"], "label": ["A", "B"]}})"),
            ":1: answerKey must be a label, got nothing");
  EXPECT_EQ(mistake("openbookqa", R"({"choices": {"text": ["a", "b"], "label": ["A", "B"]}, "answerKey": "A"})"),
            ":1: question must be a text, got nothing");
  EXPECT_EQ(mistake("race", R"({"article": "B", "question": "C", "options": ["d", "e"], "answer": "C"})"),
            ":1: answer must be option letters, got \"C\"");
  EXPECT_EQ(mistake("openbookqa", R"({"question": " ", "choices": ["a", "b"], "gold": 0})"),
            ":1: the context must contain text, got only white space");
  EXPECT_EQ(mistake("boolq", R"({"passage": "p", "question": "q", "label": 2})"),
            ":1: label must be one of 0, 1, false, true, got \"2\"");
  EXPECT_EQ(mistake("boolq", R"({"passage": "p", "question": "q"})"), ":1: answer must be a label, got nothing");
  EXPECT_EQ(mistake("winogrande", R"({"sentence": "no blank", "option1": "a", "option2": "b", "answer": "1"})"),
            ":1: sentence must have a blank '_', got none");
  EXPECT_EQ(mistake("winogrande", R"({"sentence": "a _ b", "option1": "a", "option2": "b", "answer": ""})"),
            ":1: answer must be one of 1, 2, got \"\"");
  EXPECT_EQ(mistake("hellaswag", R"({"activity_label": "", "ctx_a": "a", "ctx_b": "", "endings": [], "label": "1"})"),
            ":1: the list of choices must have two or more, got none");
  EXPECT_EQ(mistake("race", R"({"article": "B", "questions": ["C"], "options": [["d", "e"]], "answers": ["C"]})"),
            ":1: answers must be option letters, got \"C\"");
  EXPECT_EQ(mistake("race", R"({"article": "B", "questions": [], "options": [], "answers": []})"),
            ":1: questions, options and answers must be lists of the same size, got 0, 0 and 0");
}

TEST_F(Benchmarks, AreFoundByName) {
  const auto boolq = Choice<Benchmark>::read(nullptr, "boolq").make();
  write_file(folder / "BoolQ/val.jsonl", "x");
  EXPECT_EQ(benchmark_file(*boolq, "boolq", "", folder), folder / "BoolQ/val.jsonl");
  write_file(folder / "boolq.val.jsonl", "x");
  EXPECT_EQ(benchmark_file(*boolq, "boolq", "", folder), folder / "boolq.val.jsonl");
  EXPECT_THROW(benchmark_file(*boolq, "boolq", "nowhere", folder), Error);
  EXPECT_THROW(benchmark_file(*boolq, "boolq", "", folder / "nowhere"), Error);
}

TEST_F(Benchmarks, FindTheFilesOfTheDataFolder) {
  RFS_NEEDS_DATA();
  const fs::path data = fs::path(std::getenv("RFS_DATA")) / "benchmarks";
  std::map<std::string, size_t> sizes;
  for (const fs::path& of : {data, data / "published"}) {
    if (!fs::exists(of)) continue;
    std::set<fs::path> found;
    for (const auto& name : Registry<Benchmark>::names()) {
      const auto benchmark = Choice<Benchmark>::read(nullptr, name).make();
      try {
        const fs::path file = benchmark_file(*benchmark, name, "", of);
        found.insert(file);
        const size_t size = read_documents(*benchmark, file).size();
        EXPECT_EQ(sizes.emplace(name, size).first->second, size) << "both forms have the same documents: " << file;
      } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("found no"), std::string::npos) << error.what();
      }
    }
    for (const auto& entry : fs::directory_iterator(of)) {
      const std::string file = entry.path().filename().string();
      if (!file.ends_with(".jsonl") || file.find("first") != std::string::npos) continue;  // a part of another file
      EXPECT_TRUE(found.contains(entry.path())) << entry.path();
    }
  }
}

}  // namespace
}  // namespace rfs
