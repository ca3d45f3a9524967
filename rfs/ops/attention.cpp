// Shapes: N tokens, H heads, E dims per head, n tokens of one row.

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

/// The bias of one row as [H, n, n]. The entries above the diagonal do not matter: they are masked later.
torch::Tensor square(const torch::Tensor& bias_HR, int64_t begin, int64_t n) {
  const auto places = torch::tril_indices(n, n, 0, torch::kInt64).to(bias_HR.device());
  const auto flat = torch::zeros({bias_HR.size(0), n * n}, bias_HR.options());
  return flat.index_copy(1, places[0] * n + places[1], bias_HR.narrow(1, begin, n * (n + 1) / 2)).view({-1, n, n});
}

torch::Tensor reference(const torch::Tensor& qkv_NK, const AttentionPlan& plan, uint32_t site,
                        const torch::Tensor& bias_HR, const ScoreSteps& steps) {
  const QkvLayout& layout = plan.layout;
  const auto part = [&](int64_t begin, int64_t heads) {
    return qkv_NK.narrow(1, begin, heads * layout.head_width).view({-1, heads, layout.head_width});
  };
  auto q_NHE = part(0, layout.heads), k_NHE = part(layout.key_begin(), layout.kv_heads);
  auto v_NHE = part(layout.value_begin(), layout.kv_heads);
  if (plan.rotation.defined()) {
    q_NHE = rotate(q_NHE, plan.rotation);
    k_NHE = rotate(k_NHE, plan.rotation);
  }
  if (layout.group() > 1) {
    k_NHE = k_NHE.repeat_interleave(layout.group(), 1);
    v_NHE = v_NHE.repeat_interleave(layout.group(), 1);
  }
  std::vector<torch::Tensor> outputs;
  const int64_t* offset = plan.offsets.data_ptr<int64_t>();
  int64_t pair = 0;
  for (int64_t row = 0; row + 1 < plan.offsets.size(0); ++row) {
    const int64_t begin = offset[row], n = offset[row + 1] - begin;
    const auto heads_first = [&](const torch::Tensor& x_NHE) { return x_NHE.narrow(0, begin, n).transpose(0, 1); };
    const auto bias_Hnn = bias_HR.defined() ? square(bias_HR, pair, n) : torch::Tensor();
    const auto positions_n = plan.positions_N.defined() ? plan.positions_N.narrow(0, begin, n) : torch::Tensor();
    auto weight_Hnn = row_weights({heads_first(q_NHE), heads_first(k_NHE), positions_n, bias_Hnn}, plan, steps);
    pair += n * (n + 1) / 2;
    if (plan.dropout.active()) {
      weight_Hnn = weight_Hnn * dropout_factors(plan.dropout, static_cast<size_t>(row), site, weight_Hnn);
    }
    outputs.push_back(torch::matmul(weight_Hnn, heads_first(v_NHE)).transpose(0, 1).reshape({n, layout.query_width()}));
  }
  return torch::cat(outputs, 0);
}

}  // namespace

torch::Tensor row_weights(const RowScores& row, const AttentionPlan& plan, const ScoreSteps& steps) {
  auto score_Hqk = torch::matmul(row.query_HqE, row.key_HkE.transpose(1, 2)) * plan.scale;
  const int64_t queries = score_Hqk.size(1), keys = score_Hqk.size(2);
  const auto distance = [&](const torch::Tensor& x_k) {
    return x_k.narrow(0, keys - queries, queries).unsqueeze(1) - x_k.unsqueeze(0);
  };
  torch::Tensor distance_qk;
  if (plan.slopes_H.defined() || steps.scores) distance_qk = distance(row.positions_k.to(score_Hqk.scalar_type()));
  if (plan.slopes_H.defined()) score_Hqk = score_Hqk - plan.slopes_H.view({-1, 1, 1}) * distance_qk;
  if (row.bias_Hqk.defined()) score_Hqk = score_Hqk + row.bias_Hqk;
  if (steps.scores) score_Hqk = steps.scores(score_Hqk, row.query_HqE * plan.scale, distance_qk.clamp_min(0));
  const auto back_qk = distance(torch::arange(keys, score_Hqk.options().dtype(torch::kInt64).requires_grad(false)));
  auto unseen_qk = back_qk < 0;
  if (plan.window > 0) unseen_qk = unseen_qk.logical_or(back_qk >= plan.window);
  score_Hqk = score_Hqk.masked_fill(unseen_qk, -std::numeric_limits<double>::infinity());
  return steps.weights ? steps.weights(score_Hqk, back_qk.clamp_min(0).to(score_Hqk.scalar_type()))
                       : torch::softmax(score_Hqk, 2);
}

std::vector<int64_t> CausalPairs::begins(const torch::Tensor& offsets) {
  const int64_t* offset = offsets.data_ptr<int64_t>();
  std::vector<int64_t> begins = {0};
  for (int64_t row = 0; row + 1 < offsets.size(0); ++row) {
    const int64_t n = offset[row + 1] - offset[row];
    begins.push_back(begins.back() + n * (n + 1) / 2);
  }
  return begins;
}

CausalPairs::CausalPairs(const torch::Tensor& offsets) {
  const int64_t pairs = begins(offsets).back();
  query_R = torch::empty({pairs}, torch::kInt64);
  key_R = torch::empty({pairs}, torch::kInt64);
  const int64_t* offset = offsets.data_ptr<int64_t>();
  int64_t *query = query_R.data_ptr<int64_t>(), *key = key_R.data_ptr<int64_t>();
  for (int64_t row = 0; row + 1 < offsets.size(0); ++row) {
    for (int64_t i = offset[row]; i < offset[row + 1]; ++i) {
      for (int64_t j = offset[row]; j <= i; ++j) *query++ = i, *key++ = j;
    }
  }
}

torch::Tensor attention(const torch::Tensor& qkv_NK, const AttentionPlan& plan, uint32_t site, Backend backend,
                        const torch::Tensor& bias_HR, const ScoreSteps& steps) {
  const QkvLayout& layout = plan.layout;
  TORCH_CHECK(layout.kv_heads > 0 && layout.heads % layout.kv_heads == 0,
              "attention: heads must be a multiple of key and value heads");
  TORCH_CHECK(qkv_NK.dim() == 2 && qkv_NK.size(1) == layout.width(), "attention: qkv must be [tokens, ", layout.width(),
              "]");
  TORCH_CHECK(plan.offsets.scalar_type() == torch::kInt64 && plan.offsets.device().is_cpu() &&
                  plan.offsets.data_ptr<int64_t>()[plan.offsets.size(0) - 1] == qkv_NK.size(0),
              "attention: offsets must be int64 on the CPU and end at the number of tokens");
  TORCH_CHECK(!bias_HR.defined() || (bias_HR.dim() == 2 && bias_HR.size(0) == layout.heads &&
                                     bias_HR.scalar_type() == qkv_NK.scalar_type()),
              "attention: the bias must be [heads, pairs] in the type of qkv");
  const bool fits =
      qkv_NK.device().is_cpu() && (qkv_NK.scalar_type() == torch::kFloat32 || qkv_NK.scalar_type() == torch::kFloat64);
  TORCH_CHECK(backend != Backend::fused || (fits && !steps.any()), "attention: no fused version for ",
              qkv_NK.options());
  if (backend == Backend::reference || !fits || steps.any()) return reference(qkv_NK, plan, site, bias_HR, steps);
  return attention_cpu(qkv_NK, plan, site, bias_HR);
}

}  // namespace rfs
