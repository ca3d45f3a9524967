#include <torch/types.h>

#include <cmath>

#include "rfs/encodings/encoding.h"

namespace rfs {
namespace {

/// FIRE (Li et al. 2024): the bias is f(log(c d + 1) / (log(c max(p_i, T) + 1) + 1e-6)), d = p_i - p_j, where f is a
/// small network 1 -> 32 -> heads with ReLU. c and a factor of T are learned, as |c| and |T|.
class Fire : public PositionEncoding {
 public:
  struct Options : rfs::Options {
    Field<double> threshold{this, "threshold", 512.0, "initial T: the distance is relative to max(p_i, T)",
                            between(1e-6, 1e9)};
    Field<double> slope{this, "slope", 0.1, "initial c in log(c d + 1)", between(1e-9, 1e9)};
    Field<int64_t> hidden{this, "hidden", 32, "hidden width of the network", between<int64_t>(1, 65536)};
  };
  explicit Fire(const Options& options) : options_(options) {}

  bool has_bias() const override { return true; }
  bool shared_by_layers() const override { return false; }
  std::vector<LearnedTensor> learned(const ModelShape& shape) const override {
    const auto uniform = [](double bound) {
      return [bound](Stream& stream) { return bound * (2 * stream.uniform() - 1); };
    };
    const auto constant = [](double value) { return [value](Stream&) { return value; }; };
    const double out_bound = 1 / std::sqrt(static_cast<double>(*options_.hidden));
    return {{"in.weight", {options_.hidden, 1}, uniform(1), true},
            {"in.bias", {options_.hidden}, uniform(1)},
            {"out.weight", {shape.heads, options_.hidden}, uniform(out_bound), true},
            {"out.bias", {shape.heads}, uniform(out_bound)},
            {"c", {1}, constant(*options_.slope)},
            {"threshold_factor", {1}, constant(1)}};
  }

  torch::Tensor bias(std::span<const torch::Tensor> learned, const torch::Tensor& query_R,
                     const torch::Tensor& key_R) const override {
    const auto c = learned[4].abs(), threshold = (learned[5] * *options_.threshold).abs();
    const auto log_of = [&](const torch::Tensor& x_R) { return torch::log(c * x_R + 1); };
    const auto ratio_R = log_of(query_R - key_R) / (log_of(query_R.maximum(threshold)) + 1e-6);
    const auto hidden_RF = torch::relu(torch::linear(ratio_R.unsqueeze(1), learned[0], learned[1]));
    return torch::matmul(learned[2], hidden_RF.t()) + learned[3].unsqueeze(1);
  }

 private:
  Options options_;
};

const bool registered = Registry<PositionEncoding>::add<Fire>("FIRE: a learned function of the relative distance");

}  // namespace
}  // namespace rfs
