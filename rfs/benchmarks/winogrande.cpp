#include "rfs/benchmarks/benchmark.h"
#include "rfs/text/unicode.h"

namespace rfs {
namespace {

/// WinoGrande (Sakaguchi et al. 2019): which of two names fits the blank. The context is the sentence up to the blank
/// plus one of the names; the rest of the sentence is scored.
class WinoGrande : public Benchmark {
 public:
  using Options = BenchmarkOptions;
  explicit WinoGrande(const Options&) {}
  std::string title() const override { return "WinoGrande"; }
  std::vector<std::string> files() const override {
    return {"winogrande.val.jsonl", "winogrande_dev.jsonl", "winogrande_1.1/dev.jsonl"};
  }
  std::string published() const override { return "published by AI2 as winogrande_1.1"; }
  bool normalised() const override { return false; }

  Document document(const Record& record) const override {
    const std::string sentence = record.text("sentence");
    const size_t blank = sentence.find('_');
    if (blank == std::string::npos) throw record.fail("sentence", "have a blank '_'", "none");
    const std::string rest(stripped(sentence.substr(blank + 1)));
    if (rest.empty()) throw record.fail("sentence", "continue after its blank", "nothing");
    const std::string before = sentence.substr(0, blank);
    const size_t gold =
        record.has("gold") ? record.index_of("gold", {"0", "1"}) : record.index_of("answer", {"1", "2"});
    const std::string first = record.text("option1"), second = record.text("option2");
    return {{before + first, before + second}, {rest, rest}, gold};
  }
};

const bool registered = Registry<Benchmark>::add<WinoGrande>("who or what a pronoun refers to");

}  // namespace
}  // namespace rfs
