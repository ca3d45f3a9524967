#include "rfs/benchmarks/arc.h"

namespace rfs {
namespace {

/// OpenBookQA (Mihaylov et al. 2018): the context is the question as it is.
class OpenBookQa : public Benchmark {
 public:
  using Options = BenchmarkOptions;
  explicit OpenBookQa(const Options&) {}
  std::string title() const override { return "OpenBookQA"; }
  std::vector<std::string> files() const override {
    return {"openbookqa.test.jsonl", "openbookqa_test.jsonl", "OpenBookQA-V1-Sep2018/Data/Main/test.jsonl"};
  }
  std::string published() const override { return "published by AI2 as OpenBookQA-V1-Sep2018, Data/Main"; }
  Document document(const Record& record) const override { return science_document(record); }
};

const bool registered = Registry<Benchmark>::add<OpenBookQa>("elementary science questions, without the book of facts");

}  // namespace
}  // namespace rfs
