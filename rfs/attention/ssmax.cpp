#include <torch/types.h>

#include <cmath>

#include "rfs/attention/attention_rule.h"

namespace rfs {
namespace {

/// Scalable-Softmax (Nakanishi 2025): softmax(s_h log(n_i + 1) scores), n_i the keys that query i sees and s learned
/// for each head and layer. The 1 keeps the first token's factor above 0. s starts at 1 / mean log(n_i + 1) over the
/// longest training row, so that the factors start near 1.
class Ssmax : public AttentionRule {
 public:
  struct Options : rfs::Options {
    Field<bool> offset{this, "offset", false, "learn b_h in s_h log(n_i + 1) + b_h, which starts at 0"};
  };
  explicit Ssmax(const Options& options) : options_(options) {}

  bool scales_queries() const override { return true; }

  std::vector<LearnedTensor> learned(const ModelShape& shape) const override {
    double sum = 0;
    const int64_t tokens = std::max<int64_t>(1, shape.trained_length);
    for (int64_t i = 1; i <= tokens; ++i) sum += std::log(static_cast<double>(shape.keys_seen(i) + 1));
    const double start = static_cast<double>(tokens) / sum;
    std::vector<LearnedTensor> all = {{"scale", {shape.heads}, [start](Stream&) { return start; }}};
    if (options_.offset) all.push_back({"offset", {shape.heads}, [](Stream&) { return 0.0; }});
    return all;
  }

  std::vector<double> scale_terms(int64_t keys) const override {
    std::vector<double> terms = {std::log(static_cast<double>(keys) + 1)};
    if (options_.offset) terms.push_back(1);
    return terms;
  }

  torch::Tensor query_scale(std::span<const torch::Tensor> learned, const torch::Tensor& keys_N,
                            const torch::Tensor&) const override {
    const auto scale_NH = torch::log(keys_N + 1).unsqueeze(1) * learned[0];
    return options_.offset ? scale_NH + learned[1] : scale_NH;
  }

 private:
  Options options_;
};

const bool registered = Registry<AttentionRule>::add<Ssmax>("Scalable-Softmax: scores times s log(number of keys)");

}  // namespace
}  // namespace rfs
