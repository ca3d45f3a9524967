#include "rfs/benchmarks/arc.h"

namespace rfs {
namespace {

class ArcChallenge : public Arc {
 public:
  using Options = BenchmarkOptions;
  explicit ArcChallenge(const Options&) {}
  std::string title() const override { return "ARC-Challenge"; }
  std::vector<std::string> files() const override {
    return {"arc_challenge.test.jsonl", "ARC-Challenge-Test.jsonl",
            "ARC-V1-Feb2018-2/ARC-Challenge/ARC-Challenge-Test.jsonl"};
  }
};

const bool registered = Registry<Benchmark>::add<ArcChallenge>("school science, the hard questions (AI2 ARC)");

}  // namespace
}  // namespace rfs
