// B rows, K heads of keys and values, T tokens that rows may reach, t tokens so far, E dims of a head, N tokens of all
// prompts.

#include "rfs/model/decoding_cache.h"

#include <algorithm>

namespace rfs {

using torch::Tensor;

QueriesKeysValues::QueriesKeysValues(const Tensor& qkv_NK, const AttentionPlan& plan) {
  const QkvLayout& layout = plan.layout;
  const auto part = [&](int64_t begin, int64_t heads) {
    return qkv_NK.narrow(1, begin, heads * layout.head_width).view({-1, heads, layout.head_width});
  };
  q = part(0, layout.heads);
  k = part(layout.key_begin(), layout.kv_heads);
  v = part(layout.value_begin(), layout.kv_heads);
  if (!plan.rotation.defined()) return;
  q = rotate(q, plan.rotation);
  k = rotate(k, plan.rotation);
}

PromptTokens::PromptTokens(const std::vector<int64_t>& sizes, torch::Device device)
    : longest(*std::max_element(sizes.begin(), sizes.end())) {
  std::vector<int64_t> rows, numbers_in_row, last;
  for (size_t b = 0; b < sizes.size(); ++b) {
    for (int64_t i = 0; i < sizes[b]; ++i) rows.push_back(static_cast<int64_t>(b)), numbers_in_row.push_back(i);
    last.push_back(static_cast<int64_t>(rows.size()) - 1);
  }
  const auto on_device = [&](const std::vector<int64_t>& numbers) {
    return torch::tensor(numbers, torch::kInt64).to(device);
  };
  row_and_token_N = {on_device(rows), on_device(numbers_in_row)};
  last_B = on_device(last);
}

void PromptTokens::put(const Tensor& x_NHE, const Tensor& into_BHTE) const {
  into_BHTE.transpose(1, 2).index_put_({row_and_token_N[0], row_and_token_N[1]}, x_NHE);
}

Tensor PromptTokens::cached(const Tensor& x_NKE, int64_t rows, int64_t capacity, torch::Dtype dtype) const {
  Tensor cache_BKTE = torch::zeros({rows, x_NKE.size(1), capacity, x_NKE.size(2)}, x_NKE.options().dtype(dtype));
  put(x_NKE.to(dtype), cache_BKTE);
  return cache_BKTE;
}

void DecodingCache::copy_rows(const std::vector<int64_t>& from, const std::vector<int64_t>& to) {
  const Tensor from_rows = torch::tensor(from, torch::kInt64).to(decoder_.device());
  const Tensor to_rows = torch::tensor(to, torch::kInt64).to(decoder_.device());
  for (const auto& [keys_BKTE, values_BKTE] : layers_) {
    for (const Tensor& x : {keys_BKTE, values_BKTE}) x.index_copy_(0, to_rows, x.index_select(0, from_rows));
  }
  changed(false);
}

void DecodingCache::grow(int64_t capacity) {
  for (auto& [keys_BKTE, values_BKTE] : layers_) {
    const int64_t more = capacity - keys_BKTE.size(2);
    keys_BKTE = torch::constant_pad_nd(keys_BKTE, {0, 0, 0, more});
    values_BKTE = torch::constant_pad_nd(values_BKTE, {0, 0, 0, more});
  }
  changed(true);
}

void DecodingCache::move(const std::vector<Tensor>& old_t, const std::vector<Tensor>& new_t) {
  changed(false);
  if (std::equal(old_t.begin(), old_t.end(), new_t.begin(), torch::equal)) return;
  const int64_t tokens = old_t.front().size(0);
  if (first_positions_t_.empty()) {
    for (const Tensor& of_track : old_t) first_positions_t_.push_back(of_track.narrow(0, 0, 0));
    for (const auto& layer : layers_) first_keys_KtE_.push_back(layer.keys_BKTE[0].narrow(1, 0, 0));
  }
  const int64_t known = first_positions_t_.front().size(0), added = tokens - known;
  for (size_t track = 0; track < old_t.size(); ++track) {
    first_positions_t_[track] = torch::cat({first_positions_t_[track], old_t[track].narrow(0, known, added)});
  }
  for (size_t number = 0; number < layers_.size(); ++number) {
    const LayerKind& kind = decoder_.spec().kind(static_cast<int64_t>(number));
    const auto frequencies = kind.encoding->rotate(decoder_.options().head_width);
    if (frequencies.empty()) continue;
    const Tensor keys_KTE = layers_[number].keys_BKTE[0];
    Tensor& first_KtE = first_keys_KtE_[number];
    first_KtE = torch::cat({first_KtE, keys_KTE.narrow(1, known, added)}, 1);
    const Tensor shift_t = (new_t[kind.track] - first_positions_t_[kind.track]).to(decoder_.device());
    const auto wide = first_KtE.scalar_type() == torch::kBFloat16 ? torch::kFloat32 : first_KtE.scalar_type();
    const Tensor moved_tKE = rotate(first_KtE.transpose(0, 1).to(wide), rotation(shift_t, frequencies, wide));
    keys_KTE.narrow(1, 0, tokens).transpose(0, 1).copy_(moved_tKE);
  }
}

}  // namespace rfs
