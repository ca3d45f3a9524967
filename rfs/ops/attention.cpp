// N tokens, H heads, E dims a head, n tokens of one row.

#include "rfs/ops/attention.h"

#include <limits>

#include "rfs/ops/attention_cpu.h"

namespace rfs {
namespace {

torch::Tensor dropout_factors(const Dropout& dropout, size_t row, uint32_t site, const torch::Tensor& like_Hnn) {
  auto factors = torch::empty(like_Hnn.sizes(), torch::kFloat64);
  double* out = factors.data_ptr<double>();
  const auto heads = static_cast<uint64_t>(like_Hnn.size(0)), n = static_cast<uint64_t>(like_Hnn.size(1));
  for (uint64_t head = 0; head < heads; ++head) {
    for (uint64_t i = 0; i < n; ++i) {
      for (uint64_t j = 0; j < n; ++j) *out++ = dropout.factor(row, site, Dropout::attention_index(head, n, i, j));
    }
  }
  return factors.to(like_Hnn.options());
}

torch::Tensor reference(const torch::Tensor& qkv_NK, const AttentionPlan& plan, uint32_t site) {
  const int64_t tokens = qkv_NK.size(0), width = qkv_NK.size(1) / (3 * plan.heads);
  const auto qkv = qkv_NK.view({tokens, 3, plan.heads, width});
  auto q_NHE = qkv.select(1, 0), k_NHE = qkv.select(1, 1);
  const auto v_NHE = qkv.select(1, 2);
  if (plan.rotation.defined()) {
    q_NHE = rotate(q_NHE, plan.rotation);
    k_NHE = rotate(k_NHE, plan.rotation);
  }
  std::vector<torch::Tensor> outputs;
  const int64_t* offset = plan.offsets.data_ptr<int64_t>();
  for (int64_t row = 0; row + 1 < plan.offsets.size(0); ++row) {
    const int64_t begin = offset[row], n = offset[row + 1] - begin;
    const auto heads_first = [&](const torch::Tensor& x_NHE) { return x_NHE.narrow(0, begin, n).transpose(0, 1); };
    auto score_Hnn = torch::matmul(heads_first(q_NHE), heads_first(k_NHE).transpose(1, 2)) * plan.scale;
    if (plan.slopes_H.defined()) {
      const auto p_n = plan.positions_N.narrow(0, begin, n).to(score_Hnn.scalar_type());
      score_Hnn = score_Hnn - plan.slopes_H.view({-1, 1, 1}) * (p_n.unsqueeze(1) - p_n.unsqueeze(0));
    }
    const auto later_nn = torch::ones({n, n}, score_Hnn.options().dtype(torch::kBool)).triu(1);
    score_Hnn = score_Hnn.masked_fill(later_nn, -std::numeric_limits<double>::infinity());
    auto weight_Hnn = torch::softmax(score_Hnn, 2);
    if (plan.dropout.active()) {
      weight_Hnn = weight_Hnn * dropout_factors(plan.dropout, static_cast<size_t>(row), site, weight_Hnn);
    }
    outputs.push_back(torch::matmul(weight_Hnn, heads_first(v_NHE)).transpose(0, 1).reshape({n, plan.heads * width}));
  }
  return torch::cat(outputs, 0);
}

}  // namespace

torch::Tensor attention(const torch::Tensor& qkv_NK, const AttentionPlan& plan, uint32_t site, Backend backend) {
  TORCH_CHECK(qkv_NK.dim() == 2 && plan.heads > 0 && qkv_NK.size(1) % (3 * plan.heads) == 0,
              "attention: qkv must be [tokens, 3 * heads * width]");
  TORCH_CHECK(plan.offsets.scalar_type() == torch::kInt64 && plan.offsets.device().is_cpu() &&
                  plan.offsets.data_ptr<int64_t>()[plan.offsets.size(0) - 1] == qkv_NK.size(0),
              "attention: offsets must be int64 on the CPU and end at the number of tokens");
  const bool fits =
      qkv_NK.device().is_cpu() && (qkv_NK.scalar_type() == torch::kFloat32 || qkv_NK.scalar_type() == torch::kFloat64);
  TORCH_CHECK(backend != Backend::fused || fits, "attention: no fused version for ", qkv_NK.options());
  if (backend == Backend::reference || !fits) return reference(qkv_NK, plan, site);
  return attention_cpu(qkv_NK, plan, site);
}

}  // namespace rfs
