#include <algorithm>

#include "rfs/positions/indexing.h"
#include "rfs/positions/sorted.h"

namespace rfs {
namespace {

/// Position interpolation (Chen et al. 2023) without fine-tuning: trained on integers; at inference
/// p_i = i n_tr / max(n_tr, n_in), i = 0 .. n_in - 1, so that no position exceeds the trained ones.
class Interpolated : public PositionIndexing {
 public:
  using Options = NoOptions;
  explicit Interpolated(const Options&) {}

  void train(Stream&, int64_t, std::span<float> positions) const override { spread(1.0, positions); }

  std::optional<TrainDraw> train_draw() const override { return TrainDraw{}; }

  void infer(Stream&, int64_t trained, int64_t input, std::span<float> positions) const override {
    spread(*even_step(trained, input), positions);
  }

  std::optional<double> even_step(int64_t trained, int64_t input) const override {
    return static_cast<double>(trained) / static_cast<double>(std::max(trained, input));
  }

 private:
  static void spread(double step, std::span<float> positions) {
    require_row_fits(static_cast<int64_t>(positions.size()));
    for (size_t i = 0; i < positions.size(); ++i) positions[i] = static_cast<float>(static_cast<double>(i) * step);
  }
};

const bool registered =
    Registry<PositionIndexing>::add<Interpolated>("integers, squeezed into the trained range at inference");

}  // namespace
}  // namespace rfs
