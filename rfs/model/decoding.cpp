// B open rows, T tokens that the longest may reach, t tokens of the longest so far, H heads, K heads of keys and
// values, G = H / K, E dims of a head, V vocabulary, N tokens of all prompts.

#include "rfs/model/decoding.h"

#include <algorithm>
#include <limits>

namespace rfs {
namespace {

using torch::Tensor;

constexpr double unseen = -std::numeric_limits<double>::infinity();

/// A token's queries [.., H, E], keys and values [.., K, E].
struct Parts {
  Tensor q, k, v;
  Parts(const Tensor& qkv_NK, const AttentionPlan& plan) {
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
};

/// What the layers share in one step: where each open row's newest token is among the row's tokens.
struct Newest {
  const std::vector<int64_t>& sizes;     // tokens of each row
  Tensor row_B, last_B;                  // int64
  Tensor index_t;                        // 0, 1, ... of the longest row
  std::vector<Tensor> query_Bt, key_Bt;  // of each track: positions of the newest token and of all

  Newest(const std::vector<int64_t>& row_sizes, const std::vector<Tensor>& positions_BT, const Batch& batch,
         torch::Device device)
      : sizes(row_sizes),
        row_B(torch::arange(batch.tokens(), torch::kInt64).to(device)),
        last_B((torch::tensor(row_sizes, torch::kInt64) - 1).to(device)) {
    const int64_t longest = *std::max_element(sizes.begin(), sizes.end());
    index_t = torch::arange(longest, last_B.options());
    for (size_t track = 0; track < positions_BT.size(); ++track) {
      const Tensor before_Bt = positions_BT[track].narrow(0, 0, batch.tokens()).narrow(1, 0, longest);
      key_Bt.push_back(before_Bt.to(device));
      query_Bt.push_back(batch.positions[track].to(device).unsqueeze(1).expand_as(key_Bt.back()));
    }
  }
  int64_t longest() const { return index_t.size(0); }
  /// Keys after a row's newest token or before its window.
  Tensor unseen_Bt(int64_t window) const {
    const Tensor back_Bt = last_B.unsqueeze(1) - index_t.unsqueeze(0), later_Bt = back_Bt < 0;
    return window > 0 ? later_Bt.logical_or(back_Bt >= window) : later_Bt;
  }
};

/// Attention of the last q tokens of one row over its t tokens, for layers with score steps: [q, heads * head width].
Tensor attend_row(const Tensor& q_HqE, const Tensor& keys_KtE, const Tensor& values_KtE, const Tensor& positions_t,
                  const Tensor& bias_Hqt, const AttentionPlan& plan, const ScoreSteps& steps) {
  const auto of_heads = [&](const Tensor& x_KtE) { return x_KtE.repeat_interleave(plan.layout.group(), 0); };
  const Tensor weight_Hqt = row_weights({q_HqE, of_heads(keys_KtE), positions_t, bias_Hqt}, plan, steps);
  return torch::matmul(weight_Hqt, of_heads(values_KtE)).transpose(0, 1).flatten(1);
}

/// Attention of each row's newest token. Its key and value join the cache.
Tensor attend(const Tensor& qkv_BK, const AttentionPlan& plan, const Newest& newest, const Decoder& decoder,
              int64_t layer, const Tensor& keys_BKTE, const Tensor& values_BKTE) {
  const Parts parts(qkv_BK, plan);
  const int64_t count = qkv_BK.size(0), longest = newest.longest(), heads = plan.layout.heads;
  const size_t track = decoder.spec().kind(layer).track;
  const auto extended = [&](const Tensor& cache_BKTE, const Tensor& x_BKE) {
    cache_BKTE.transpose(1, 2).index_put_({newest.row_B, newest.last_B}, x_BKE);
    return cache_BKTE.narrow(0, 0, count).narrow(2, 0, longest);
  };
  const auto grouped = [&](const Tensor& x) {
    return x.reshape({count, plan.layout.kv_heads, plan.layout.group(), -1});
  };
  if (const ScoreSteps steps = decoder.steps(layer); steps.any()) {
    const Tensor keys_BKtE = extended(keys_BKTE, parts.k), values_BKtE = extended(values_BKTE, parts.v);
    std::vector<Tensor> outputs;
    for (int64_t b = 0; b < count; ++b) {
      const int64_t tokens = newest.sizes[static_cast<size_t>(b)];
      const Tensor key_t = newest.key_Bt[track][b].narrow(0, 0, tokens),
                   query_t = newest.query_Bt[track][b].narrow(0, 0, tokens);
      const Tensor bias_HR = decoder.bias(layer, query_t, key_t);
      outputs.push_back(attend_row(parts.q[b].unsqueeze(1), keys_BKtE[b].narrow(1, 0, tokens),
                                   values_BKtE[b].narrow(1, 0, tokens), key_t,
                                   bias_HR.defined() ? bias_HR.unsqueeze(1) : bias_HR, plan, steps));
    }
    return torch::cat(outputs);
  }
  const Tensor q_BKEG = grouped(parts.q).transpose(2, 3);
  Tensor score_BHt = torch::matmul(extended(keys_BKTE, parts.k), q_BKEG).transpose(2, 3).reshape({count, heads, -1});
  score_BHt = score_BHt * plan.scale;
  if (plan.slopes_H.defined()) {
    const Tensor distance_Bt = newest.query_Bt[track].to(torch::kFloat64) - newest.key_Bt[track].to(torch::kFloat64);
    score_BHt = score_BHt - plan.slopes_H.view({1, -1, 1}) * distance_Bt.to(score_BHt.scalar_type()).unsqueeze(1);
  }
  const Tensor bias_HR = decoder.bias(layer, newest.query_Bt[track].flatten(), newest.key_Bt[track].flatten());
  if (bias_HR.defined()) score_BHt = score_BHt + bias_HR.view({heads, count, longest}).transpose(0, 1);
  score_BHt = score_BHt.masked_fill(newest.unseen_Bt(plan.window).unsqueeze(1), unseen);
  return torch::matmul(grouped(torch::softmax(score_BHt, 2)), extended(values_BKTE, parts.v)).flatten(1);
}

/// The row and the index within it of each prompt token.
struct PromptTokens {
  std::vector<Tensor> row_and_token_N;  // int64
  int64_t longest;

  PromptTokens(const std::vector<int64_t>& sizes, torch::Device device)
      : longest(*std::max_element(sizes.begin(), sizes.end())) {
    std::vector<int64_t> rows, numbers_in_row;
    for (size_t b = 0; b < sizes.size(); ++b) {
      for (int64_t i = 0; i < sizes[b]; ++i) rows.push_back(static_cast<int64_t>(b)), numbers_in_row.push_back(i);
    }
    for (const auto& numbers : {rows, numbers_in_row}) {
      row_and_token_N.push_back(torch::tensor(numbers, torch::kInt64).to(device));
    }
  }
  void put(const Tensor& x_NHE, const Tensor& into_BHTE) const {
    into_BHTE.transpose(1, 2).index_put_({row_and_token_N[0], row_and_token_N[1]}, x_NHE);
  }
};

/// What is added to the scores of the prompts, [B, H, t, t] or [t, t]; undefined if only the causal mask applies.
Tensor prompt_bias(const AttentionPlan& plan, const Decoder& decoder, int64_t layer, const Tensor& positions_BT,
                   int64_t t, const torch::TensorOptions& options) {
  const Tensor p_Bt = positions_BT.narrow(1, 0, t).to(options);
  const Tensor query_Btt = p_Bt.unsqueeze(2).expand({-1, t, t}), key_Btt = p_Bt.unsqueeze(1).expand({-1, t, t});
  const Tensor learned_HR = decoder.bias(layer, query_Btt.flatten(), key_Btt.flatten());
  Tensor bias;
  if (plan.slopes_H.defined()) bias = plan.slopes_H.view({1, -1, 1, 1}) * (key_Btt - query_Btt).unsqueeze(1);
  if (learned_HR.defined()) {
    const Tensor learned = learned_HR.view({plan.layout.heads, -1, t, t}).transpose(0, 1);
    bias = bias.defined() ? bias + learned : learned.clone();
  }
  if (!bias.defined() && plan.window == 0) return {};
  if (!bias.defined()) bias = torch::zeros({t, t}, options);
  const Tensor ones_tt = torch::ones({t, t}, options.dtype(torch::kBool));
  Tensor unseen_tt = ones_tt.triu(1);
  if (plan.window > 0) unseen_tt = unseen_tt.logical_or(ones_tt.tril(-plan.window));
  return bias.masked_fill_(unseen_tt, unseen);
}

/// Attention of the prompts, all rows in one product. Rows are left-aligned and attention is causal, so no token sees
/// the padding of shorter rows.
Tensor attend(const Tensor& q_NHE, const AttentionPlan& plan, const PromptTokens& prompts, const Tensor& bias,
              const Tensor& keys_BKTE, const Tensor& values_BKTE) {
  const int64_t t = prompts.longest;
  const Tensor q_BHtE = torch::zeros({keys_BKTE.size(0), plan.layout.heads, t, q_NHE.size(2)}, q_NHE.options());
  prompts.put(q_NHE, q_BHtE);
  const auto read = [&](const Tensor& cache_BKTE) {
    const Tensor now_BKtE = cache_BKTE.narrow(2, 0, t);
    return plan.layout.group() > 1 ? now_BKtE.repeat_interleave(plan.layout.group(), 1) : now_BKtE;
  };
  const Tensor out_BHtE = torch::scaled_dot_product_attention(
      q_BHtE, read(keys_BKTE), read(values_BKTE), bias.defined() ? std::optional<Tensor>(bias) : std::nullopt, 0.0,
      !bias.defined(), plan.scale);
  return out_BHtE.transpose(1, 2).index({prompts.row_and_token_N[0], prompts.row_and_token_N[1]}).flatten(1);
}

}  // namespace

Decoding::Decoding(const Decoder& decoder, std::span<const Start> starts) : decoder_(decoder) {
  const torch::NoGradGuard no_gradient;
  const size_t tracks = decoder.spec().tracks();
  std::vector<Row> rows;
  Tracks positions(tracks);
  size_t longest = 0;
  for (const auto& [prompt, all] : starts) {
    TORCH_CHECK(all.size() == tracks, "decoding: positions for each track of the model");
    open_.push_back(rows.size());
    rows.push_back({prompt, {}});
    for (size_t track = 0; track < tracks; ++track) {
      TORCH_CHECK(!prompt.empty() && prompt.size() <= all[track].size() && all[track].size() == all[0].size(),
                  "decoding: a prompt, and a position for each token");
      const auto first = all[track].begin();
      positions[track].insert(positions[track].end(), first, first + static_cast<std::ptrdiff_t>(prompt.size()));
    }
    sizes_.push_back(static_cast<int64_t>(prompt.size()));
    planned_.push_back(static_cast<int64_t>(all[0].size()));
    longest = std::max(longest, all[0].size());
  }
  const auto count = static_cast<int64_t>(starts.size()), capacity = static_cast<int64_t>(longest);
  for (size_t track = 0; track < tracks; ++track) {
    const Tensor& all_BT = positions_BT_.emplace_back(torch::zeros({count, capacity}, torch::kFloat32));
    for (size_t b = 0; b < starts.size(); ++b) {
      std::copy(starts[b].positions[track].begin(), starts[b].positions[track].end(),
                all_BT.data_ptr<float>() + b * longest);
    }
  }

  Batch batch = pack(rows, positions);
  batch.input_B = torch::tensor(planned_, torch::kInt64);
  const auto plans = decoder.plans(batch);
  const PromptTokens prompts(sizes_, decoder.device());
  const Tensor hidden_ND = decoder.hidden(batch, {}, [&](const Tensor& qkv_NK, int64_t layer) {
    const AttentionPlan& plan = plans[decoder.spec().kind_of_layer[static_cast<size_t>(layer)]];
    const Parts parts(qkv_NK, plan);
    const auto cache = [&](const Tensor& x_NKE) {
      const Tensor cache_BKTE =
          torch::zeros({count, plan.layout.kv_heads, capacity, plan.layout.head_width}, x_NKE.options());
      prompts.put(x_NKE, cache_BKTE);
      return cache_BKTE;
    };
    layers_.push_back({cache(parts.k), cache(parts.v)});
    if (const ScoreSteps steps = decoder.steps(layer); steps.any()) {
      const CausalPairs pairs(batch.offsets);
      const Tensor& p_N = batch.positions[decoder.spec().kind(layer).track];
      const Tensor bias_HR = decoder.bias(layer, p_N.index_select(0, pairs.query_R), p_N.index_select(0, pairs.key_R));
      return attention(qkv_NK, plan, 0, Backend::reference, bias_HR, steps);
    }
    const Tensor bias = prompt_bias(plan, decoder, layer, positions_BT_[decoder.spec().kind(layer).track],
                                    prompts.longest, parts.q.options());
    return attend(parts.q, plan, prompts, bias, layers_.back().keys_BKTE, layers_.back().values_BKTE);
  });
  const Tensor last_B = (batch.offsets.narrow(0, 1, count) - 1).to(decoder.device());
  logits_ = decoder.logits(hidden_ND.index_select(0, last_B));
}

void Decoding::close(std::span<const size_t> slots) {
  const size_t stay = open_.size() - slots.size();
  std::vector<int64_t> from, to;
  for (const size_t slot : slots) {
    if (slot < stay) to.push_back(static_cast<int64_t>(slot));
  }
  for (size_t slot = stay; slot < open_.size(); ++slot) {
    if (!std::binary_search(slots.begin(), slots.end(), slot)) from.push_back(static_cast<int64_t>(slot));
  }
  if (!to.empty()) {
    const Tensor from_rows = torch::tensor(from, torch::kInt64), to_rows = torch::tensor(to, torch::kInt64);
    const auto move = [&](const Tensor& x) {
      x.index_copy_(0, to_rows.to(x.device()), x.index_select(0, from_rows.to(x.device())));
    };
    for (const auto& [keys_BKTE, values_BKTE] : layers_) move(keys_BKTE), move(values_BKTE);
    for (const Tensor& track_BT : positions_BT_) move(track_BT);
  }
  for (size_t k = 0; k < to.size(); ++k) {
    open_[static_cast<size_t>(to[k])] = open_[static_cast<size_t>(from[k])];
    sizes_[static_cast<size_t>(to[k])] = sizes_[static_cast<size_t>(from[k])];
    planned_[static_cast<size_t>(to[k])] = planned_[static_cast<size_t>(from[k])];
  }
  open_.resize(stay);
  sizes_.resize(stay);
  planned_.resize(stay);
}

void Decoding::step(std::span<const int32_t> tokens) {
  const torch::NoGradGuard no_gradient;
  TORCH_CHECK(!open_.empty() && tokens.size() == open_.size(), "decoding: a token for each open row");
  std::vector<Row> rows;
  Tracks positions(positions_BT_.size());
  for (size_t b = 0; b < open_.size(); ++b) {
    TORCH_CHECK(sizes_[b] < capacity(), "decoding: a row longer than its positions");
    rows.push_back({tokens.subspan(b, 1), {}});
    for (size_t track = 0; track < positions.size(); ++track) {
      const float* of_row = positions_BT_[track].data_ptr<float>() + static_cast<int64_t>(b) * capacity();
      positions[track].push_back(of_row[sizes_[b]]);
    }
    ++sizes_[b];
  }
  Batch batch = pack(rows, positions);
  batch.seen_N = torch::tensor(sizes_, torch::kInt64);
  batch.input_B = torch::tensor(planned_, torch::kInt64);
  const auto plans = decoder_.plans(batch);
  const Newest newest(sizes_, positions_BT_, batch, decoder_.device());
  logits_ = decoder_.logits(decoder_.hidden(batch, {}, [&](const Tensor& qkv_BK, int64_t layer) {
    const auto number = static_cast<size_t>(layer);
    return attend(qkv_BK, plans[decoder_.spec().kind_of_layer[number]], newest, decoder_, layer,
                  layers_[number].keys_BKTE, layers_[number].values_BKTE);
  }));
}

void Decoding::move(const Tracks& positions) {
  const torch::NoGradGuard no_gradient;
  const auto known = static_cast<int64_t>(positions.front().size()), old_capacity = capacity();
  TORCH_CHECK(open_.size() == 1 && known >= sizes_[0] && positions.size() == positions_BT_.size(),
              "decoding: new positions of one row, for all its tokens");
  if (known > old_capacity) {
    const int64_t more = std::max(known, old_capacity + old_capacity / 2) - old_capacity;
    for (Tensor& track_BT : positions_BT_) track_BT = torch::constant_pad_nd(track_BT, {0, more});
    for (auto& [keys_BKTE, values_BKTE] : layers_) {
      keys_BKTE = torch::constant_pad_nd(keys_BKTE, {0, 0, 0, more});
      values_BKTE = torch::constant_pad_nd(values_BKTE, {0, 0, 0, more});
    }
  }
  std::vector<Tensor> shifts_t;
  for (size_t track = 0; track < positions.size(); ++track) {
    const Tensor now_t = positions_BT_[track][0].narrow(0, 0, sizes_[0]);
    const Tensor old_t = now_t.to(torch::kFloat64, false, /*copy=*/true);
    std::copy(positions[track].begin(), positions[track].end(), positions_BT_[track].data_ptr<float>());
    shifts_t.push_back(now_t.to(torch::kFloat64) - old_t);
  }
  for (int64_t layer = 0; layer < decoder_.options().layers; ++layer) {
    const LayerKind& kind = decoder_.spec().kind(layer);
    const Tensor& shift_t = shifts_t[kind.track];
    const auto frequencies = kind.encoding->rotate(decoder_.options().head_width);
    if (frequencies.empty() || torch::equal(shift_t, torch::zeros_like(shift_t))) continue;
    const Tensor& keys_BKTE = layers_[static_cast<size_t>(layer)].keys_BKTE;
    const Tensor keys_tKE = keys_BKTE[0].narrow(1, 0, sizes_[0]).transpose(0, 1);
    keys_tKE.copy_(rotate(keys_tKE, rotation(shift_t.to(decoder_.device()), frequencies, keys_BKTE.scalar_type())));
  }
}

}  // namespace rfs
