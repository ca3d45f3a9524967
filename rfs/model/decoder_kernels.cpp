// The Decoder on the project's CUDA kernels. N packed tokens, H heads, L tokens of the longest row.

#include <algorithm>
#include <cmath>

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/model/decoder_pass.h"
#include "rfs/model/sites.h"
#include "rfs/ops/norm_limits.h"

namespace rfs {

using torch::Tensor;

std::string kernel_refusal(const ModelSpec& spec) {
  const DecoderOptions& o = spec.options;
  for (const LayerKind& kind : spec.kinds) {
    if (kind.encoding->adds_learned()) return "its encoding adds a learned vector to the embeddings";
    if (kind.encoding->changes_scores()) return "its encoding changes scores in its own way";
    if (kind.encoding->rotates_by_length()) return "its encoding's frequencies depend on the input's length";
    if (kind.attention->has_weights()) return "its attention rule replaces softmax";
    if (kind.attention->reads_hidden()) return "its attention rule scales queries by their hidden states";
  }
  if (*o.activation == FeedForward::gelu_erf) return "model.activation is gelu_erf";
  if (o.width % 8 || o.width > widest_norm) {
    return rfs::format("model.width must be a multiple of 8 up to {}, got {}", widest_norm, *o.width);
  }
  if (o.feed_width % 8) return rfs::format("model.feed_width must be a multiple of 8, got {}", *o.feed_width);
  if (o.head_width % 8 || o.head_width > 256) {
    return rfs::format("model.head_width must be a multiple of 8 up to 256, got {}", *o.head_width);
  }
  return "";
}

void Decoder::use_kernels(DType dtype) {
  if (const auto refusal = kernel_refusal(spec_); !refusal.empty()) throw Error("kernels: " + refusal);
  TORCH_CHECK(device().is_cuda() && embedding_.scalar_type() == torch::kFloat32,
              "kernels: the weights must be float32 on a GPU");
  kernels_ = std::make_unique<DeviceOps>(parameters_.flat(), dtype);
  const auto on_device = [&](const std::vector<double>& values, torch::Dtype type) {
    return values.empty() ? Tensor() : torch::tensor(values, torch::kFloat64).to(type).to(device());
  };
  kinds_on_device_.clear();
  for (const LayerKind& kind : spec_.kinds) {
    kinds_on_device_.push_back({on_device(kind.encoding->rotate(options().head_width), torch::kFloat64),
                                on_device(kind.encoding->slopes(options().heads), torch::kFloat32)});
  }
  sinusoids_ = on_device(spec_.kinds.front().encoding->sinusoids(options().width), torch::kFloat64);
}

std::vector<AttentionPlan> Decoder::plans(const BatchOnDevice& batch) const {
  std::vector<AttentionPlan> plans;
  for (size_t number = 0; number < spec_.kinds.size(); ++number) {
    const LayerKind& kind = spec_.kinds[number];
    AttentionPlan plan;
    plan.positions_N = batch.positions.at(kind.track);
    plan.rotation = rotation(plan.positions_N, kinds_on_device_[number].rotate, torch::kFloat32);
    if (const double scale = kind.encoding->rotation_scale(); scale != 1) {
      plan.rotation = {plan.rotation.cos_NP * scale, plan.rotation.sin_NP * scale};
    }
    plan.slopes_H = kinds_on_device_[number].slopes;
    plan.layout = spec_.qkv();
    plan.window = kind.window;
    plan.scale = options().scale_scores ? 1 / std::sqrt(static_cast<double>(*options().head_width)) : 1;
    plans.push_back(std::move(plan));
  }
  return plans;
}

Decoder::Attention Decoder::attention_of(const BatchOnDevice& batch) const {
  const auto attend = [this, batch, plans = plans(batch)](const Tensor& qkv_NK, int64_t layer, const Tensor& bias_HNL) {
    return kernels_->attend(batch.pass, qkv_NK, plans[spec_.kind_of_layer[static_cast<size_t>(layer)]],
                            DropoutSites::attention(layer), query_factors(layer, batch.seen_N, {}), bias_HNL);
  };
  const auto has_bias = [](const LayerKind& kind) { return kind.encoding->has_bias(); };
  if (std::none_of(spec_.kinds.begin(), spec_.kinds.end(), has_bias)) return {attend};
  const int64_t tokens = batch.tokens_N.size(0), longest = batch.pass.rows.longest;
  // For each token and number of a key in its row, which token the key is: never one after it.
  const auto integers = batch.row_begin_N.options();
  const Tensor key_NL = batch.row_begin_N.unsqueeze(1) + torch::arange(longest, integers);
  const Tensor key_R = key_NL.minimum(torch::arange(tokens, integers).unsqueeze(1)).flatten();
  return {attend, [this, positions = batch.positions, tokens, longest, key_R](int64_t layer) -> Tensor {
            const LayerKind& kind = spec_.kind(layer);
            if (!kind.encoding->has_bias()) return {};
            const Tensor& positions_N = positions[kind.track];
            const Tensor query_R = positions_N.unsqueeze(1).expand({tokens, longest}).flatten();
            return bias(layer, query_R, positions_N.index_select(0, key_R)).view({-1, tokens, longest});
          }};
}

Tensor Decoder::hidden(const BatchOnDevice& batch, const Attention& attention) const {
  return hidden(Pass{{}, {}, batch}, attention);
}

Tensor Decoder::loss(const BatchOnDevice& batch) const {
  TORCH_CHECK(kernels_, "loss: the decoder does not use the kernels");
  const Tensor hidden_MD = kernels_->select(hidden(batch, attention_of(batch)), batch.predict_M, batch.target_of_N);
  return kernels_->loss(hidden_MD, head_, head_scale(), batch.labels_M, batch.targets);
}

}  // namespace rfs
