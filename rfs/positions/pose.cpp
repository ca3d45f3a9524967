#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/positions/indexing.h"
#include "rfs/positions/sorted.h"

namespace rfs {
namespace {

/// PoSE (Zhu et al. 2023): a training row is two chunks of consecutive integers. The number of tokens of the first
/// chunk is random in 1 .. (n + 1) / 2. The second chunk is shifted by a random number in 0 .. target - n. Inference:
/// 0, 1, 2, ...
class Pose : public PositionIndexing {
 public:
  struct Options : rfs::Options {
    Field<int64_t> target{this, "target", 512, "target length: training positions lie below this",
                          between<int64_t>(1, PositionIndexing::longest_row)};
  };
  explicit Pose(const Options& options) : options_(options) {}

  void train(Stream& stream, int64_t, std::span<float> positions) const override {
    const auto tokens = static_cast<int64_t>(positions.size());
    if (tokens > options_.target) {
      throw Error(rfs::format("positions.target: must be at least the {} tokens of a training row, got {}", tokens,
                              *options_.target));
    }
    if (positions.empty()) return;
    const uint64_t first = 1 + stream.below((positions.size() + 1) / 2);
    const uint64_t shift = stream.below(static_cast<uint64_t>(options_.target - tokens + 1));
    for (size_t i = 0; i < positions.size(); ++i) positions[i] = static_cast<float>(i < first ? i : i + shift);
  }

  void infer(Stream&, int64_t, int64_t, std::span<float> positions) const override {
    require_row_fits(static_cast<int64_t>(positions.size()));
    for (size_t i = 0; i < positions.size(); ++i) positions[i] = static_cast<float>(i);
  }
  std::optional<double> even_step(int64_t, int64_t) const override { return 1; }

 private:
  Options options_;
};

const bool registered = Registry<PositionIndexing>::add<Pose>("PoSE: two chunks of integers with a random gap between");

}  // namespace
}  // namespace rfs
