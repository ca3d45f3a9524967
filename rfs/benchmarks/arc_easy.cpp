#include "rfs/benchmarks/arc.h"

namespace rfs {
namespace {

class ArcEasy : public Arc {
 public:
  using Options = BenchmarkOptions;
  explicit ArcEasy(const Options&) {}
  std::string title() const override { return "ARC-Easy"; }
  std::vector<std::string> files() const override {
    return {"arc_easy.test.jsonl", "ARC-Easy-Test.jsonl", "ARC-V1-Feb2018-2/ARC-Easy/ARC-Easy-Test.jsonl"};
  }
};

const bool registered = Registry<Benchmark>::add<ArcEasy>("school science, the easy questions (AI2 ARC)");

}  // namespace
}  // namespace rfs
