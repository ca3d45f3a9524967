// B open rows, T tokens that the longest may reach, t tokens of the longest so far, H heads, K heads of keys and
// values, G = H / K, E dims of a head, V vocabulary, N tokens of all prompts.

#include <algorithm>
#include <limits>

#include "rfs/model/decoding_cache.h"

namespace rfs {
namespace {

using torch::Tensor;

constexpr double unseen = -std::numeric_limits<double>::infinity();

/// What the layers share in one step: where each open row's newest token is among the row's tokens.
struct Newest {
  const std::vector<int64_t>& sizes;     // tokens of each row
  Tensor row_B, last_B;                  // int64
  Tensor index_t;                        // 0, 1, ... of the longest row
  std::vector<Tensor> query_Bt, key_Bt;  // of each track: positions of the newest token and of all

  Newest(const OpenRows& rows, const Batch& batch, torch::Device device)
      : sizes(rows.sizes),
        row_B(torch::arange(batch.tokens(), torch::kInt64).to(device)),
        last_B((torch::tensor(rows.sizes, torch::kInt64) - 1).to(device)) {
    const int64_t longest = *std::max_element(sizes.begin(), sizes.end());
    index_t = torch::arange(longest, last_B.options());
    for (size_t track = 0; track < rows.positions_BT.size(); ++track) {
      const Tensor before_Bt = rows.positions_BT[track].narrow(0, 0, batch.tokens()).narrow(1, 0, longest);
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
              int64_t layer, const CachedRows& cache) {
  const QueriesKeysValues parts(qkv_BK, plan);
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
    const Tensor keys_BKtE = extended(cache.keys_BKTE, parts.k), values_BKtE = extended(cache.values_BKTE, parts.v);
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
  Tensor score_BHt =
      torch::matmul(extended(cache.keys_BKTE, parts.k), q_BKEG).transpose(2, 3).reshape({count, heads, -1});
  score_BHt = score_BHt * plan.scale;
  if (plan.slopes_H.defined()) {
    const Tensor distance_Bt = newest.query_Bt[track].to(torch::kFloat64) - newest.key_Bt[track].to(torch::kFloat64);
    score_BHt = score_BHt - plan.slopes_H.view({1, -1, 1}) * distance_Bt.to(score_BHt.scalar_type()).unsqueeze(1);
  }
  const Tensor bias_HR = decoder.bias(layer, newest.query_Bt[track].flatten(), newest.key_Bt[track].flatten());
  if (bias_HR.defined()) score_BHt = score_BHt + bias_HR.view({heads, count, longest}).transpose(0, 1);
  score_BHt = score_BHt.masked_fill(newest.unseen_Bt(plan.window).unsqueeze(1), unseen);
  return torch::matmul(grouped(torch::softmax(score_BHt, 2)), extended(cache.values_BKTE, parts.v)).flatten(1);
}

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
              const CachedRows& cache) {
  const int64_t t = prompts.longest;
  const Tensor q_BHtE = torch::zeros({cache.keys_BKTE.size(0), plan.layout.heads, t, q_NHE.size(2)}, q_NHE.options());
  prompts.put(q_NHE, q_BHtE);
  const auto read = [&](const Tensor& all_BKTE) {
    const Tensor now_BKtE = all_BKTE.narrow(2, 0, t);
    return plan.layout.group() > 1 ? now_BKtE.repeat_interleave(plan.layout.group(), 1) : now_BKtE;
  };
  const Tensor out_BHtE = torch::scaled_dot_product_attention(
      q_BHtE, read(cache.keys_BKTE), read(cache.values_BKTE),
      bias.defined() ? std::optional<Tensor>(bias) : std::nullopt, 0.0, !bias.defined(), plan.scale);
  return out_BHtE.transpose(1, 2).index({prompts.row_and_token_N[0], prompts.row_and_token_N[1]}).flatten(1);
}

class ReferenceCache : public DecodingCache {
 public:
  using DecodingCache::DecodingCache;

  Tensor start(const Batch& prompts, const OpenRows& rows) override {
    const auto plans = decoder_.plans(prompts);
    const PromptTokens tokens(rows.sizes, decoder_.device());
    const auto whole_rows = [&](const Tensor& qkv_NK, int64_t layer, const Tensor&) {
      const AttentionPlan& plan = plans[decoder_.spec().kind_of_layer[static_cast<size_t>(layer)]];
      const QueriesKeysValues parts(qkv_NK, plan);
      const auto cached = [&](const Tensor& x_NKE) {
        return tokens.cached(x_NKE, rows.count(), rows.capacity(), x_NKE.scalar_type());
      };
      layers_.push_back({cached(parts.k), cached(parts.v)});
      const size_t track = decoder_.spec().kind(layer).track;
      if (const ScoreSteps steps = decoder_.steps(layer); steps.any()) {
        const CausalPairs pairs(prompts.offsets);
        const Tensor& p_N = prompts.positions[track];
        const Tensor bias_HR =
            decoder_.bias(layer, p_N.index_select(0, pairs.query_R), p_N.index_select(0, pairs.key_R));
        return attention(qkv_NK, plan, 0, Backend::reference, bias_HR, steps);
      }
      const Tensor bias =
          prompt_bias(plan, decoder_, layer, rows.positions_BT[track], tokens.longest, parts.q.options());
      return attend(parts.q, plan, tokens, bias, layers_.back());
    };
    const Tensor hidden_ND = decoder_.hidden(prompts, {}, {whole_rows});
    return decoder_.logits(hidden_ND.index_select(0, tokens.last_B));
  }

  Tensor step(const Batch& batch, const OpenRows& rows) override {
    const auto plans = decoder_.plans(batch);
    const Newest newest(rows, batch, decoder_.device());
    const auto newest_tokens = [&](const Tensor& qkv_BK, int64_t layer, const Tensor&) {
      const auto number = static_cast<size_t>(layer);
      return attend(qkv_BK, plans[decoder_.spec().kind_of_layer[number]], newest, decoder_, layer, layers_[number]);
    };
    return decoder_.logits(decoder_.hidden(batch, {}, {newest_tokens}));
  }
};

}  // namespace

std::unique_ptr<DecodingCache> reference_cache(const Decoder& decoder) {
  return std::make_unique<ReferenceCache>(decoder);
}

}  // namespace rfs
