// n tokens of the row, H heads, K heads of keys and values, E dims of a head.

#include "rfs/eval/attention_maps.h"

namespace rfs {

AttentionMaps attention_maps(const Decoder& decoder, const Batch& row) {
  TORCH_CHECK(row.rows() == 1, "attention maps: must be of one row, got ", row.rows());
  const torch::NoGradGuard no_gradient;
  const int64_t n = row.tokens();
  const auto plans = decoder.plans(row);
  AttentionMaps maps;
  const auto attend = [&](const torch::Tensor& qkv_nK, int64_t layer, const torch::Tensor&) {
    const AttentionPlan& plan = plans[decoder.spec().kind_of_layer[static_cast<size_t>(layer)]];
    const QkvLayout& layout = plan.layout;
    const auto part = [&](int64_t begin, int64_t heads) {
      return qkv_nK.narrow(1, begin, heads * layout.head_width).view({n, heads, layout.head_width});
    };
    const auto rotated = [&](const torch::Tensor& x) { return plan.rotation.defined() ? rotate(x, plan.rotation) : x; };
    const auto one_per_head = [&](const torch::Tensor& x_nKE) {
      return x_nKE.repeat_interleave(layout.group(), 1).transpose(0, 1);
    };
    const auto query_HnE = rotated(part(0, layout.heads)).transpose(0, 1);
    const auto key_HnE = one_per_head(rotated(part(layout.key_begin(), layout.kv_heads)));
    const auto value_HnE = one_per_head(part(layout.value_begin(), layout.kv_heads));
    // Pairs of a query and a later key get a bias, too; it does not matter, because they are masked.
    const auto square = [&](int64_t dim) { return plan.positions_N.unsqueeze(dim).expand({n, n}).flatten(); };
    auto bias_Hnn = decoder.bias(layer, square(1), square(0));
    if (bias_Hnn.defined()) bias_Hnn = bias_Hnn.view({layout.heads, n, n});
    maps.weights_Hnn.push_back(
        row_weights({query_HnE, key_HnE, plan.positions_N, bias_Hnn}, plan, decoder.steps(layer)));
    return torch::matmul(maps.weights_Hnn.back(), value_HnE).transpose(0, 1).reshape({n, layout.query_width()});
  };
  maps.hidden_ND = decoder.hidden(row, {}, {attend});
  return maps;
}

}  // namespace rfs
