#include "rfs/benchmarks/benchmark.h"
#include "rfs/core/value.h"

namespace rfs {
namespace {

/// RACE (Lai et al. 2017): the last question about an article, after the earlier questions with their answers.
///
/// An earlier question that ends in a blank should be filled with its answer. Version 3 of the harness's task does
/// that; version 2, which the paper must have used, keeps the blank and drops the question. The paper's context size of
/// 439 is the median of version 3's contexts, and also that of version 2's contexts with their right choices.
class Race : public Benchmark {
 public:
  struct Options : BenchmarkOptions {
    Field<int64_t> version{this, "version", 3,
                           "version of the harness's task: 3, or 2 (before May 2026, as in the paper)",
                           between<int64_t>(2, 3)};
  };
  explicit Race(const Options& options) : options_(options) {}
  std::string title() const override { return "RACE"; }
  std::vector<std::string> files() const override { return {"race_high.test.jsonl", "RACE/test/high", "test/high"}; }
  std::string published() const override { return "published by its authors as RACE/test/high"; }
  bool normalised() const override { return false; }
  bool sized_by_context() const override { return options_.version == 3; }

  Document document(const Record& record) const override {
    const auto texts = record.texts("questions");
    const auto answers = record.texts("answers");
    const auto options = record.lists_of_texts("options");
    if (texts.empty() || answers.size() != texts.size() || options.size() != texts.size()) {
      throw record.fail("questions, options and answers", "be lists of the same size",
                        std::to_string(texts.size()) + ", " + std::to_string(options.size()) + " and " +
                            std::to_string(answers.size()));
    }
    std::vector<Question> questions;
    for (size_t i = 0; i < texts.size(); ++i) {
      questions.push_back({texts[i], options[i], letter_index(record, "answers", answers[i], options[i].size())});
    }
    return asked(record.text("article"), questions);
  }

  // Hugging Face has one record per question; questions about one article are adjacent.
  bool continues(const Record& record, const Record& before) const override {
    return is_question(record) && is_question(before) && record.text("article") == before.text("article");
  }
  Document joined(const std::vector<Record>& records) const override {
    if (!is_question(records.front())) return document(records.front());
    std::vector<Question> questions;
    for (const Record& record : records) {
      const auto options = record.texts("options");
      questions.push_back(
          {record.text("question"), options, letter_index(record, "answer", record.text("answer"), options.size())});
    }
    return asked(records.front().text("article"), questions);
  }

 private:
  struct Question {
    std::string text;
    std::vector<std::string> options;
    size_t answer = 0;
  };

  static bool is_question(const Record& record) { return record.has("question"); }

  static size_t letter_index(const Record& record, const std::string& key, const std::string& answer, size_t options) {
    const size_t letter = answer.size() == 1 ? static_cast<size_t>(answer[0]) - 'A' : options;
    if (letter >= options) throw record.fail(key, "be option letters", quoted(shortened(answer)));
    return letter;
  }

  /// The last question, after the article and the earlier questions with their answers.
  Document asked(const std::string& article, const std::vector<Question>& questions) const {
    const std::string blank = "  _  .";
    std::string text = "Article: " + article + "\n\n";
    for (size_t i = 0; i + 1 < questions.size(); ++i) {
      const std::string& question = questions[i].text;
      const std::string& answer = questions[i].options[questions[i].answer];
      if (question.ends_with(blank)) {
        const size_t kept = question.size() - (blank.size() - 1);
        text += (options_.version == 2 ? question.substr(kept) : question.substr(0, kept)) + answer + "\n";
      } else {
        text += "Question: " + question + "\nAnswer: " + answer + "\n";
      }
    }
    return {{text + questions.back().text}, questions.back().options, questions.back().answer};
  }

  Options options_;
};

const bool registered = Registry<Benchmark>::add<Race>("reading comprehension from high-school exams");

}  // namespace
}  // namespace rfs
