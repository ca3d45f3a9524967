#include "rfs/benchmarks/benchmark.h"

namespace rfs {
namespace {

/// BoolQ (Clark et al. 2019): a question about a passage. The label is `answer` in the authors' files and `label` in
/// SuperGLUE.
class BoolQ : public Benchmark {
 public:
  using Options = BenchmarkOptions;
  explicit BoolQ(const Options&) {}
  std::string title() const override { return "BoolQ"; }
  std::vector<std::string> files() const override {
    return {"boolq.val.jsonl", "BoolQ_superglue_val.jsonl", "BoolQ/val.jsonl", "boolq/dev.jsonl"};
  }
  std::string published() const override { return "published by its authors as boolq/dev.jsonl and in SuperGLUE"; }
  bool normalised() const override { return false; }

  Document document(const Record& record) const override {
    const std::string key = record.has("gold") ? "gold" : record.has("label") ? "label" : "answer";
    Document document;
    document.contexts = {record.text("passage") + "\nQuestion: " + record.text("question") + "?\nAnswer:"};
    document.choices = {"no", "yes"};
    document.gold = record.index_of(key, {"0", "1", "false", "true"}) % 2;
    return document;
  }
};

const bool registered = Registry<Benchmark>::add<BoolQ>("yes/no questions about a passage");

}  // namespace
}  // namespace rfs
