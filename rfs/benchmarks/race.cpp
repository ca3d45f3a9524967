#include "rfs/benchmarks/benchmark.h"
#include "rfs/core/value.h"

namespace rfs {
namespace {

/// RACE (Lai et al. 2017): the last question about an article, after the others with their answers.
///
/// An earlier question that ends in a blank should be filled with its answer. Version 3 of the harness's task does
/// that; version 2, which the paper must have used, keeps the blank and drops the question. The paper's context size of
/// 439 is the median of version 3's contexts, and also that of version 2's contexts with their right choices.
class Race : public Benchmark {
 public:
  struct Options : BenchmarkOptions {
    Field<int64_t> version{this, "version", 3, "of the harness's task: 3, or 2 (before May 2026; the paper's)",
                           between<int64_t>(2, 3)};
  };
  explicit Race(const Options& options) : options_(options) {}
  std::string title() const override { return "RACE"; }
  std::vector<std::string> files() const override { return {"race_high.test.jsonl", "RACE/test/high", "test/high"}; }
  std::string published() const override { return "published by its authors as RACE/test/high"; }
  bool normalised() const override { return false; }
  bool sized_by_context() const override { return options_.version == 3; }

  Document document(const Record& record) const override {
    const auto questions = record.texts("questions");
    const auto answers = record.texts("answers");
    const auto options = record.lists_of_texts("options");
    if (questions.empty() || answers.size() != questions.size() || options.size() != questions.size()) {
      throw record.fail("questions, options and answers", "be lists of one size",
                        std::to_string(questions.size()) + ", " + std::to_string(options.size()) + " and " +
                            std::to_string(answers.size()));
    }
    const auto place = [&](size_t i) {
      const size_t letter = answers[i].size() == 1 ? static_cast<size_t>(answers[i][0]) - 'A' : options[i].size();
      if (letter >= options[i].size()) {
        throw record.fail("answers", "be letters of the options", quoted(answers[i].substr(0, 40)));
      }
      return letter;
    };
    const std::string blank = "  _  .";
    std::string text = "Article: " + record.text("article") + "\n\n";
    for (size_t i = 0; i + 1 < questions.size(); ++i) {
      const std::string& question = questions[i];
      const std::string& answer = options[i][place(i)];
      if (question.ends_with(blank)) {
        const size_t kept = question.size() - (blank.size() - 1);
        text += (options_.version == 2 ? question.substr(kept) : question.substr(0, kept)) + answer + "\n";
      } else {
        text += "Question: " + question + "\nAnswer: " + answer + "\n";
      }
    }
    const size_t gold = place(questions.size() - 1);
    return {{text + questions.back()}, options.back(), gold};
  }

 private:
  Options options_;
};

const bool registered = Registry<Benchmark>::add<Race>("reading comprehension of exams (high school)");

}  // namespace
}  // namespace rfs
