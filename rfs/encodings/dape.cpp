#include <torch/types.h>

#include <cmath>

#include "rfs/encodings/encoding.h"
#include "rfs/encodings/kept_above.h"

namespace rfs {
namespace {

/// DAPE (Zheng et al. 2024): score + b + f([score; b]). b is KERPLE's bias -p_h log(1 + a_h d); f is a network over the
/// heads of one pair of tokens, 2H -> 32 -> H with LeakyReLU. It needs the scores themselves, so only the reference
/// tier computes it.
class Dape : public PositionEncoding {
 public:
  struct Options : rfs::Options {
    Field<int64_t> hidden{this, "hidden", 32, "hidden width of the network", between<int64_t>(1, 65536)};
  };
  explicit Dape(const Options& options) : options_(options) {}

  bool changes_scores() const override { return true; }
  bool shared_by_layers() const override { return false; }
  std::vector<LearnedTensor> learned(const ModelShape& shape) const override {
    const auto uniform = [](int64_t inputs) {
      return [bound = 1 / std::sqrt(static_cast<double>(inputs))](Stream& stream) {
        return bound * (2 * stream.uniform() - 1);
      };
    };
    return {{"p", {shape.heads}, [](Stream& stream) { return 2 * stream.uniform(); }},
            {"a", {shape.heads}, [](Stream& stream) { return stream.uniform(); }},
            {"in.weight", {options_.hidden, 2 * shape.heads}, uniform(2 * shape.heads), true},
            {"in.bias", {options_.hidden}, uniform(2 * shape.heads)},
            {"out.weight", {shape.heads, options_.hidden}, uniform(options_.hidden), true},
            {"out.bias", {shape.heads}, uniform(options_.hidden)}};
  }

  torch::Tensor scores(std::span<const torch::Tensor> learned, const torch::Tensor& score_Hqk, const torch::Tensor&,
                       const torch::Tensor& distance_qk) const override {
    const auto at_least = [](const torch::Tensor& x_H) { return kept_above(x_H, 0.01).view({-1, 1, 1}); };
    const auto bias_Hqk = -at_least(learned[0]) * torch::log1p(at_least(learned[1]) * distance_qk);
    const auto both = torch::cat({score_Hqk, bias_Hqk}).permute({1, 2, 0});
    const auto hidden = torch::leaky_relu(torch::linear(both, learned[2], learned[3]));
    return score_Hqk + bias_Hqk + torch::linear(hidden, learned[4], learned[5]).permute({2, 0, 1});
  }

 private:
  Options options_;
};

const bool registered =
    Registry<PositionEncoding>::add<Dape>("DAPE: a learned bias that depends on the scores (reference tier only)");

}  // namespace
}  // namespace rfs
