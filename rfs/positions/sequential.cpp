#include "rfs/positions/indexing.h"
#include "rfs/positions/sorted.h"

namespace rfs {
namespace {

/// Simple extension: p_i = i for i = 0 .. n - 1, in training and at inference.
class Sequential : public PositionIndexing {
 public:
  using Options = NoOptions;
  explicit Sequential(const Options&) {}

  void train(Stream&, int64_t, std::span<float> positions) const override { count(positions); }
  std::optional<TrainDraw> train_draw() const override { return TrainDraw{}; }

  void infer(Stream&, int64_t, int64_t, std::span<float> positions) const override { count(positions); }
  std::optional<double> even_step(int64_t, int64_t) const override { return 1; }

 private:
  static void count(std::span<float> positions) {
    require_row_fits(static_cast<int64_t>(positions.size()));
    for (size_t i = 0; i < positions.size(); ++i) positions[i] = static_cast<float>(i);
  }
};

const bool registered = Registry<PositionIndexing>::add<Sequential>("integers 0, 1, 2, ...: simple extension");

}  // namespace
}  // namespace rfs
