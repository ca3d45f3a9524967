#include <torch/types.h>

#include <cmath>

#include "rfs/attention/attention_rule.h"

namespace rfs {
namespace {

/// Scale-invariant attention (Anson et al. 2025): a score at a distance of t tokens becomes a_t score + m_t before
/// softmax, with a_t^2 = 2 (log(t / tau + 1) - log(alpha) + beta / alpha), m_t = beta / alpha - a_t^2 and alpha = beta
/// = e^.5. t counts tokens; it is not a distance of float positions.
class ScaleInvariant : public AttentionRule {
 public:
  struct Options : rfs::Options {
    Field<double> tau{this, "tau", 10.0, "distance in tokens up to which scores change little", between(1e-3, 1e9)};
  };
  explicit ScaleInvariant(const Options& options) : options_(options) {}

  bool has_weights() const override { return true; }
  torch::Tensor weights(std::span<const torch::Tensor>, const torch::Tensor& score_Hqk,
                        const torch::Tensor& distance_qk) const override {
    const double alpha = std::exp(0.5), ratio = 1;  // beta / alpha
    const auto square_qk = 2 * (torch::log(distance_qk / *options_.tau + 1) - std::log(alpha) + ratio);
    return torch::softmax(square_qk.sqrt() * score_Hqk + (ratio - square_qk), 2);
  }

 private:
  Options options_;
};

const bool registered = Registry<AttentionRule>::add<ScaleInvariant>(
    "scores scaled and shifted by distance, the same at every scale (reference tier only)");

}  // namespace
}  // namespace rfs
