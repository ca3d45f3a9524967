#include "rfs/benchmarks/benchmark.h"
#include "rfs/text/unicode.h"

namespace rfs {
namespace {

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

/// Cleans texts of WikiHow and ActivityNet like the harness: "[title]" ends a sentence, other bracketed tags are
/// removed.
std::string cleaned(const std::string& text) {
  std::string result(stripped(text));
  replace_all(result, " [title]", ". ");
  // A tag ends at the first closing bracket after it, on the same line.
  for (size_t at = 0; (at = result.find('[', at)) != std::string::npos;) {
    const size_t end = result.find_first_of("]\n", at);
    if (end != std::string::npos && result[end] == ']') {
      result.erase(at, end - at + 1);
    } else {
      ++at;
    }
  }
  replace_all(result, "  ", " ");
  return result;
}

/// HellaSwag (Zellers et al. 2019): choose how a description continues. Records with `gold` have a context that is
/// already joined and cleaned.
class HellaSwag : public Benchmark {
 public:
  using Options = BenchmarkOptions;
  explicit HellaSwag(const Options&) {}
  std::string title() const override { return "HellaSwag"; }
  std::vector<std::string> files() const override { return {"hellaswag.val.jsonl", "hellaswag_val.jsonl"}; }
  std::string published() const override { return "published by its authors as hellaswag_val.jsonl"; }

  Document document(const Record& record) const override {
    if (record.has("gold")) {
      const auto choices = record.texts("choices");
      const size_t gold = gold_of(record, choices.size());
      const std::string context = record.text("ctx");
      return {{context}, choices, gold};
    }
    Document document;
    document.contexts = {
        cleaned(record.text("activity_label") + ": " + record.text("ctx_a") + " " + capitalized(record.text("ctx_b")))};
    for (const auto& ending : record.texts("endings")) document.choices.push_back(cleaned(ending));
    document.gold = record.index_of("label", numbers(document.choices.size()));
    return document;
  }
};

const bool registered = Registry<Benchmark>::add<HellaSwag>("choose how a description continues");

}  // namespace
}  // namespace rfs
