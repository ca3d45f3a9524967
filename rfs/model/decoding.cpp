// B open rows, T tokens they may have, t tokens of the longest now, H heads, E dims a head, V vocabulary, N tokens of
// all prompts.

#include "rfs/model/decoding.h"

#include <algorithm>
#include <limits>

namespace rfs {
namespace {

using torch::Tensor;

/// What the layers share in one step: where each open row's newest token is among the row's tokens.
struct Newest {
  Tensor row_B, last_B;          // int64
  Tensor later_Bt, distance_Bt;  // places a row has not reached; how far back those it has lie

  Newest(const std::vector<int64_t>& sizes, const Tensor& positions_BT, const Tensor& positions_B, bool distances)
      : row_B(torch::arange(positions_B.size(0), positions_B.options().dtype(torch::kInt64))),
        last_B((torch::tensor(sizes, torch::kInt64) - 1).to(positions_B.device())) {
    const int64_t longest = *std::max_element(sizes.begin(), sizes.end());
    later_Bt = torch::arange(longest, last_B.options()).unsqueeze(0) > last_B.unsqueeze(1);
    if (!distances) return;
    const Tensor before_Bt = positions_BT.narrow(0, 0, positions_B.size(0)).narrow(1, 0, longest);
    distance_Bt = positions_B.to(torch::kFloat64).unsqueeze(1) - before_Bt.to(positions_B.device(), torch::kFloat64);
  }
};

/// The newest tokens' attention: their keys and values join the kept ones.
Tensor attend(const Tensor& qkv_BK, const AttentionPlan& plan, const Newest& newest, const Tensor& keys_BHTE,
              const Tensor& values_BHTE) {
  const int64_t count = qkv_BK.size(0), longest = newest.later_Bt.size(1);
  const Tensor qkv = qkv_BK.view({count, 3, plan.heads, -1}), v_BHE = qkv.select(1, 2);
  Tensor q_BHE = qkv.select(1, 0), k_BHE = qkv.select(1, 1);
  if (plan.rotation.defined()) {
    q_BHE = rotate(q_BHE, plan.rotation);
    k_BHE = rotate(k_BHE, plan.rotation);
  }
  const auto extended = [&](const Tensor& cache_BHTE, const Tensor& x_BHE) {
    cache_BHTE.transpose(1, 2).index_put_({newest.row_B, newest.last_B}, x_BHE);
    return cache_BHTE.narrow(0, 0, count).narrow(2, 0, longest);
  };
  Tensor score_BHt = torch::matmul(extended(keys_BHTE, k_BHE), q_BHE.unsqueeze(3)).squeeze(3) * plan.scale;
  if (plan.slopes_H.defined()) {
    const Tensor distance_B1t = newest.distance_Bt.to(score_BHt.scalar_type()).unsqueeze(1);
    score_BHt = score_BHt - plan.slopes_H.view({1, -1, 1}) * distance_B1t;
  }
  score_BHt = score_BHt.masked_fill(newest.later_Bt.unsqueeze(1), -std::numeric_limits<double>::infinity());
  return torch::matmul(torch::softmax(score_BHt, 2).unsqueeze(2), extended(values_BHTE, v_BHE)).flatten(1);
}

/// Where each token of the prompts stands among the rows [B, T].
struct Places {
  std::vector<Tensor> row_and_place_N;  // int64
  int64_t longest;

  Places(const std::vector<int64_t>& sizes, torch::Device device)
      : longest(*std::max_element(sizes.begin(), sizes.end())) {
    std::vector<int64_t> rows, places;
    for (size_t b = 0; b < sizes.size(); ++b) {
      for (int64_t i = 0; i < sizes[b]; ++i) rows.push_back(static_cast<int64_t>(b)), places.push_back(i);
    }
    for (const auto& numbers : {rows, places}) {
      row_and_place_N.push_back(torch::tensor(numbers, torch::kInt64).to(device));
    }
  }
  void put(const Tensor& x_NHE, const Tensor& into_BHTE) const {
    into_BHTE.transpose(1, 2).index_put_({row_and_place_N[0], row_and_place_N[1]}, x_NHE);
  }
};

/// The prompts' attention, all rows in one product. Rows begin together and a token sees none after it, so that what
/// fills shorter rows up is never seen.
Tensor attend(const Tensor& q_NHE, const AttentionPlan& plan, const Places& places, const Tensor& positions_BT,
              const Tensor& keys_BHTE, const Tensor& values_BHTE) {
  const int64_t t = places.longest;
  Tensor q_BHtE = torch::zeros({keys_BHTE.size(0), plan.heads, t, q_NHE.size(2)}, q_NHE.options()), bias;
  places.put(q_NHE, q_BHtE);
  if (plan.slopes_H.defined()) {
    const Tensor p_Bt = positions_BT.narrow(1, 0, t).to(q_NHE.options());
    const Tensor later_tt = torch::ones({t, t}, q_NHE.options().dtype(torch::kBool)).triu(1);
    bias = plan.slopes_H.view({1, -1, 1, 1}) * (p_Bt.view({-1, 1, 1, t}) - p_Bt.view({-1, 1, t, 1}));
    bias.masked_fill_(later_tt, -std::numeric_limits<double>::infinity());
  }
  const Tensor heard_BHtE = torch::scaled_dot_product_attention(
      q_BHtE, keys_BHTE.narrow(2, 0, t), values_BHTE.narrow(2, 0, t),
      bias.defined() ? std::optional<Tensor>(bias) : std::nullopt, 0.0, !bias.defined(), plan.scale);
  return heard_BHtE.transpose(1, 2).index({places.row_and_place_N[0], places.row_and_place_N[1]}).flatten(1);
}

}  // namespace

Decoding::Decoding(const Decoder& decoder, std::span<const Start> starts) : decoder_(decoder) {
  const torch::NoGradGuard no_gradient;
  std::vector<Row> rows;
  std::vector<float> positions;
  size_t longest = 0;
  for (const auto& [prompt, all] : starts) {
    TORCH_CHECK(!prompt.empty() && prompt.size() <= all.size(), "decoding: a prompt, and a position for each token");
    open_.push_back(rows.size());
    rows.push_back({prompt, {}});
    positions.insert(positions.end(), all.begin(), all.begin() + static_cast<std::ptrdiff_t>(prompt.size()));
    sizes_.push_back(static_cast<int64_t>(prompt.size()));
    longest = std::max(longest, all.size());
  }
  const auto count = static_cast<int64_t>(starts.size()), capacity = static_cast<int64_t>(longest);
  positions_BT_ = torch::zeros({count, capacity}, torch::kFloat32);
  for (size_t b = 0; b < starts.size(); ++b) {
    std::copy(starts[b].positions.begin(), starts[b].positions.end(), positions_BT_.data_ptr<float>() + b * longest);
  }

  const Batch batch = pack(rows, positions);
  const AttentionPlan plan = decoder.plan(batch);
  const int64_t heads = plan.heads, width = decoder.options().head_width;
  const Places places(sizes_, decoder.device());
  const Tensor hidden_ND = decoder.hidden(batch, {}, [&](const Tensor& qkv_NK, size_t) {
    const Tensor qkv = qkv_NK.view({-1, 3, heads, width});
    const auto turned = [&](const Tensor& x_NHE) {
      return plan.rotation.defined() ? rotate(x_NHE, plan.rotation) : x_NHE;
    };
    const auto cache = [&](const Tensor& x_NHE) {
      const Tensor cache_BHTE = torch::zeros({count, heads, capacity, width}, x_NHE.options());
      places.put(x_NHE, cache_BHTE);
      return cache_BHTE;
    };
    layers_.push_back({cache(turned(qkv.select(1, 1))), cache(qkv.select(1, 2))});
    return attend(turned(qkv.select(1, 0)), plan, places, positions_BT_, layers_.back().keys_BHTE,
                  layers_.back().values_BHTE);
  });
  const Tensor last_B = (batch.offsets.narrow(0, 1, count) - 1).to(decoder.device());
  logits_ = decoder.logits(hidden_ND.index_select(0, last_B));
}

void Decoding::close(std::span<const size_t> places) {
  const size_t stay = open_.size() - places.size();
  std::vector<int64_t> from, to;
  for (const size_t place : places) {
    if (place < stay) to.push_back(static_cast<int64_t>(place));
  }
  for (size_t place = stay; place < open_.size(); ++place) {
    if (!std::binary_search(places.begin(), places.end(), place)) from.push_back(static_cast<int64_t>(place));
  }
  if (!to.empty()) {
    const Tensor from_rows = torch::tensor(from, torch::kInt64), to_rows = torch::tensor(to, torch::kInt64);
    const auto move = [&](const Tensor& x) {
      x.index_copy_(0, to_rows.to(x.device()), x.index_select(0, from_rows.to(x.device())));
    };
    for (const auto& [keys_BHTE, values_BHTE] : layers_) move(keys_BHTE), move(values_BHTE);
    move(positions_BT_);
  }
  for (size_t k = 0; k < to.size(); ++k) {
    open_[static_cast<size_t>(to[k])] = open_[static_cast<size_t>(from[k])];
    sizes_[static_cast<size_t>(to[k])] = sizes_[static_cast<size_t>(from[k])];
  }
  open_.resize(stay);
  sizes_.resize(stay);
}

void Decoding::step(std::span<const int32_t> tokens) {
  const torch::NoGradGuard no_gradient;
  TORCH_CHECK(!open_.empty() && tokens.size() == open_.size(), "decoding: a token for each open row");
  std::vector<Row> rows;
  std::vector<float> positions;
  for (size_t b = 0; b < open_.size(); ++b) {
    TORCH_CHECK(sizes_[b] < positions_BT_.size(1), "decoding: a row longer than its positions");
    rows.push_back({tokens.subspan(b, 1), {}});
    positions.push_back(positions_BT_.data_ptr<float>()[static_cast<int64_t>(b) * positions_BT_.size(1) + sizes_[b]]);
    ++sizes_[b];
  }
  const Batch batch = pack(rows, positions);
  const AttentionPlan plan = decoder_.plan(batch);
  const Newest newest(sizes_, positions_BT_, plan.positions_N, plan.slopes_H.defined());
  logits_ = decoder_.logits(decoder_.hidden(batch, {}, [&](const Tensor& qkv_BK, size_t layer) {
    return attend(qkv_BK, plan, newest, layers_[layer].keys_BHTE, layers_[layer].values_BHTE);
  }));
}

void Decoding::move(std::span<const float> positions) {
  const torch::NoGradGuard no_gradient;
  const auto known = static_cast<int64_t>(positions.size()), capacity = positions_BT_.size(1);
  TORCH_CHECK(open_.size() == 1 && known >= sizes_[0], "decoding: new positions of one row, for all its tokens");
  if (known > capacity) {
    const int64_t more = std::max(known, capacity + capacity / 2) - capacity;
    positions_BT_ = torch::constant_pad_nd(positions_BT_, {0, more});
    for (auto& [keys_BHTE, values_BHTE] : layers_) {
      keys_BHTE = torch::constant_pad_nd(keys_BHTE, {0, 0, 0, more});
      values_BHTE = torch::constant_pad_nd(values_BHTE, {0, 0, 0, more});
    }
  }
  const Tensor old_t = positions_BT_[0].narrow(0, 0, sizes_[0]).to(torch::kFloat64, false, /*copy=*/true);
  std::copy(positions.begin(), positions.end(), positions_BT_.data_ptr<float>());
  const Tensor shift_t = positions_BT_[0].narrow(0, 0, sizes_[0]).to(torch::kFloat64) - old_t;
  const auto frequencies = decoder_.encoding().rotate(decoder_.options().head_width);
  if (frequencies.empty() || torch::equal(shift_t, torch::zeros_like(shift_t))) return;
  const Rotation turn = rotation(shift_t.to(decoder_.device()), frequencies, layers_[0].keys_BHTE.scalar_type());
  for (const auto& layer : layers_) {
    const Tensor keys_tHE = layer.keys_BHTE[0].narrow(1, 0, sizes_[0]).transpose(0, 1);
    keys_tHE.copy_(rotate(keys_tHE, turn));
  }
}

}  // namespace rfs
