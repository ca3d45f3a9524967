#include <torch/types.h>

#include "rfs/encodings/encoding.h"

namespace rfs {
namespace {

/// Learned absolute positions (GPT-2): row p of a table is added to the embedding of a token at position p. A position
/// between two integers gets the linear interpolation of their rows. Positions beyond the table get its last row.
class Learned : public PositionEncoding {
 public:
  struct Options : rfs::Options {
    Field<int64_t> size{this, "size", 1024, "rows of the table, for the positions 0 .. size - 1",
                        between<int64_t>(2, 1 << 20)};
    Field<double> scale{this, "scale", 1.0,
                        "positions are multiplied by this; (size - 1) / L suits random_float positions",
                        between(1e-9, 1e9)};
  };
  explicit Learned(const Options& options) : options_(options) {}

  bool adds_learned() const override { return true; }
  double largest_position() const override { return static_cast<double>(options_.size - 1) / options_.scale; }
  std::vector<LearnedTensor> learned(const ModelShape& shape) const override {
    return {{"table", {options_.size, shape.width}, [](Stream& stream) { return 0.02 * stream.normal(); }, true}};
  }

  torch::Tensor added(std::span<const torch::Tensor> learned, const torch::Tensor& positions_N) const override {
    const auto& table_PD = learned[0];
    const auto row_N = (positions_N.to(torch::kFloat64) * *options_.scale)
                           .clamp(0, static_cast<double>(options_.size - 1))
                           .to(table_PD.device());
    const auto lower_N = row_N.floor().clamp_max(static_cast<double>(options_.size - 2));
    const auto share_N1 = (row_N - lower_N).to(table_PD.scalar_type()).unsqueeze(1);
    const auto index_N = lower_N.to(torch::kInt64);
    return torch::embedding(table_PD, index_N) * (1 - share_N1) + torch::embedding(table_PD, index_N + 1) * share_N1;
  }

 private:
  Options options_;
};

const bool registered = Registry<PositionEncoding>::add<Learned>("GPT-2's learned absolute positions, interpolated");

}  // namespace
}  // namespace rfs
