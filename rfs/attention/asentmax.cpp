#include <torch/types.h>

#include <array>
#include <cmath>
#include <string_view>

#include "rfs/attention/attention_rule.h"

namespace rfs {
namespace {

enum class ScaledHeads { all, second_half };
constexpr auto enum_names(ScaledHeads) {
  return std::array<std::string_view, 2>{"all", "second_half"};
}

/// 1.5-entmax of the last axis (Peters et al. 2019): max(z / 2 - tau, 0)^2, where tau makes the weights sum to 1.
torch::Tensor entmax15(const torch::Tensor& score) {
  // Weights are 0 for scores more than 2 below the largest, so a clamp far below removes infinities and changes
  // nothing.
  const auto largest = std::get<0>(score.max(-1, true)).detach();
  const auto z = (score.maximum(largest - 10) - largest) / 2;
  torch::Tensor tau, share;
  {
    const torch::NoGradGuard no_gradient;
    const auto sorted = std::get<0>(z.sort(-1, /*descending=*/true));
    const auto count = torch::arange(1, z.size(-1) + 1, z.options().requires_grad(false));
    const auto mean = sorted.cumsum(-1) / count, mean_square = sorted.square().cumsum(-1) / count;
    const auto taus = mean - ((1 - count * (mean_square - mean.square())) / count).clamp_min(0).sqrt();
    const auto support = (taus <= sorted).sum(-1, true);
    tau = taus.gather(-1, support - 1);
    const auto root = (z - tau).clamp_min(0);
    share = root / root.sum(-1, true);
  }
  // The derivative of tau is the mean of z's over the support, weighted by the roots of the weights. This term is 0 and
  // carries that gradient.
  const auto zero = (share * (z - z.detach())).sum(-1, true);
  return (z - (tau + zero)).clamp_min(0).square();
}

/// ASEntmax (Vasylenko et al. 2025): 1.5-entmax of (delta + beta log(n_i + 1)^gamma) scores, delta = 1,
/// beta = softplus(W_b x), gamma = 2 tanh(W_g x), for a query with hidden state x that sees n_i keys. The paper has log
/// n; the 1 keeps the first token's logarithm above 0, where gamma may be negative.
///
/// `scaled_heads = "second_half"` scales only the heads that `nape` leaves without positions, as the paper does.
/// Entmax sorts every query's scores, so it is slower than softmax and only the reference tier computes it.
class Asentmax : public AttentionRule {
 public:
  struct Options : rfs::Options {
    Field<ScaledHeads> scaled_heads{this, "scaled_heads", ScaledHeads::all,
                                    "heads whose scores are scaled by the number of keys"};
  };
  explicit Asentmax(const Options& options) : options_(options) {}

  bool scales_queries() const override { return true; }
  bool reads_hidden() const override { return true; }
  bool has_weights() const override { return true; }

  std::vector<LearnedTensor> learned(const ModelShape& shape) const override {
    const double bound = 1 / std::sqrt(static_cast<double>(std::max<int64_t>(1, shape.width)));
    const auto uniform = [bound](Stream& stream) { return bound * (2 * stream.uniform() - 1); };
    return {{"beta", {shape.heads, shape.width}, uniform, true}, {"gamma", {shape.heads, shape.width}, uniform, true}};
  }

  torch::Tensor query_scale(std::span<const torch::Tensor> learned, const torch::Tensor& keys_N,
                            const torch::Tensor& x_ND) const override {
    const auto beta_NH = torch::softplus(torch::matmul(x_ND, learned[0].t()));
    const auto gamma_NH = 2 * torch::tanh(torch::matmul(x_ND, learned[1].t()));
    const auto added_NH = beta_NH * torch::pow(torch::log(keys_N + 1).unsqueeze(1), gamma_NH);
    switch (*options_.scaled_heads) {
      case ScaledHeads::all:
        return 1 + added_NH;
      case ScaledHeads::second_half:
        break;
    }
    const int64_t heads = added_NH.size(1);
    return 1 + added_NH * (torch::arange(heads, x_ND.options().requires_grad(false)) >= (heads + 1) / 2);
  }

  torch::Tensor weights(std::span<const torch::Tensor>, const torch::Tensor& score_Hqk,
                        const torch::Tensor&) const override {
    return entmax15(score_Hqk);
  }

 private:
  Options options_;
};

const bool registered = Registry<AttentionRule>::add<Asentmax>(
    "sparse: 1.5-entmax of scores scaled by the number of keys (reference only)");

}  // namespace
}  // namespace rfs
