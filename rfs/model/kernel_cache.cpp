// B slots for rows, T tokens that rows may reach, H heads, K heads of keys and values, E dims of a head, N tokens.

#include <bit>
#include <map>

#include "rfs/device/graph_cache.h"
#include "rfs/model/decoding_cache.h"

namespace rfs {
namespace {

using torch::Tensor;

int64_t slots_for(int64_t rows) {
  return static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(rows)));
}

/// The newest token of each row, filled up to `slots` rows.
Batch filled(const Batch& newest, int64_t slots) {
  const auto fill = [&](const Tensor& x, double value) {
    return torch::constant_pad_nd(x, {0, slots - newest.tokens()}, value);
  };
  Batch batch = newest;
  batch.tokens_N = fill(newest.tokens_N, 0);
  batch.seen_N = fill(newest.seen_N, 1);
  for (Tensor& positions_N : batch.positions) positions_N = fill(positions_N, 0);
  batch.offsets = torch::arange(slots + 1, torch::kInt64);
  return batch;
}

class KernelCache : public DecodingCache {
 public:
  using DecodingCache::DecodingCache;

  Tensor start(const Batch& prompts, const OpenRows& rows) override {
    const BatchOnDevice batch = BatchLayout::copy(prompts, {}, decoder_.device());
    const auto plans = decoder_.plans(batch);
    const auto whole_rows = decoder_.attention_of(batch);
    const PromptTokens tokens(rows.sizes, decoder_.device());
    const auto attend = [&](const Tensor& qkv_NK, int64_t layer, const Tensor& bias) {
      const AttentionPlan& plan = plans[decoder_.spec().kind_of_layer[static_cast<size_t>(layer)]];
      const QueriesKeysValues parts(qkv_NK.to(torch::kFloat32), plan);
      const auto cached = [&](const Tensor& x_NKE) {
        return tokens.cached(x_NKE, slots_for(rows.count()), rows.capacity(), decoder_.kernels()->type());
      };
      layers_.push_back({cached(parts.k), cached(parts.v)});
      return whole_rows.attend(qkv_NK, layer, bias);
    };
    const Tensor hidden_ND = decoder_.hidden(batch, {attend, whole_rows.bias});
    return decoder_.logits(hidden_ND.index_select(0, tokens.last_B));
  }

  Tensor step(const Batch& newest, const OpenRows& rows) override {
    const int64_t slots = slots_for(newest.tokens());
    Input& input = inputs_.try_emplace(slots, slots, newest.positions.size(), decoder_.device()).first->second;
    input.put(filled(newest, slots));
    if (positions_BT_.empty()) {
      for (const Tensor& of_track_BT : rows.positions_BT) {
        const int64_t more = layers_.front().keys_BKTE.size(0) - of_track_BT.size(0);
        positions_BT_.push_back(torch::constant_pad_nd(of_track_BT, {0, 0, 0, more}).to(decoder_.device()));
      }
    } else if (stale_) {
      for (size_t track = 0; track < positions_BT_.size(); ++track) {
        const Tensor& of_track_BT = rows.positions_BT[track];
        positions_BT_[track].narrow(0, 0, of_track_BT.size(0)).copy_(of_track_BT);
      }
    }
    stale_ = false;
    graphs_.run(slots, [&] { input.logits_BV = pass(input.batch); });
    return input.logits_BV.narrow(0, 0, newest.tokens());
  }

 private:
  /// Memory of one step's input and output. Graphs read and write it.
  struct Input {
    Input(int64_t slots, size_t tracks, torch::Device device)
        : layout(slots, 0, slots, 1, tracks),
          host(torch::zeros({static_cast<int64_t>(layout.bytes())}, torch::kUInt8)),
          memory(host.to(device)),
          batch(layout.view(memory, slots, 0, {})) {}
    void put(const Batch& newest) const {
      layout.fill(newest, {}, newest.tokens(), 0, 1, static_cast<char*>(host.data_ptr()));
      memory.copy_(host);
    }
    BatchLayout layout;
    Tensor host, memory;
    BatchOnDevice batch;
    Tensor logits_BV;
  };

  Tensor pass(const BatchOnDevice& batch) const {
    const ModelSpec& spec = decoder_.spec();
    const auto plans = decoder_.plans(batch);
    std::vector<Tensor> shared(spec.kinds.size());  // biases that all layers of a kind share
    const auto bias_of = [&](int64_t layer, size_t number) {
      const LayerKind& kind = spec.kinds[number];
      if (!kind.encoding->has_bias() || shared[number].defined()) return shared[number];
      const Tensor query_B1 = batch.positions[kind.track].unsqueeze(1);
      const Tensor key_BT = positions_BT_[kind.track].narrow(0, 0, query_B1.size(0)).minimum(query_B1);
      const Tensor bias_HR = decoder_.bias(layer, query_B1.expand_as(key_BT).flatten(), key_BT.flatten());
      const Tensor bias_HBT = bias_HR.view({-1, key_BT.size(0), key_BT.size(1)});
      if (kind.encoding->shared_by_layers()) shared[number] = bias_HBT;
      return bias_HBT;
    };
    const auto attend = [&](const Tensor& qkv_BK, int64_t layer, const Tensor&) {
      const size_t number = spec.kind_of_layer[static_cast<size_t>(layer)];
      return decoder_.kernels()->attend_cached(qkv_BK, plans[number], layers_[static_cast<size_t>(layer)], batch.seen_N,
                                               positions_BT_[spec.kinds[number].track],
                                               decoder_.query_factors(layer, batch.seen_N, {}), bias_of(layer, number));
    };
    return decoder_.logits(decoder_.hidden(batch, {attend}));
  }

  void changed(bool moved) override {
    stale_ = true;
    if (!moved) return;
    graphs_.clear();
    inputs_.clear();
    positions_BT_.clear();
  }

  std::map<int64_t, Input> inputs_;   // by number of slots
  std::vector<Tensor> positions_BT_;  // of each track, on the GPU
  bool stale_ = false;                // positions have changed since they were copied to the GPU
  GraphCache graphs_;
};

}  // namespace

std::unique_ptr<DecodingCache> kernel_cache(const Decoder& decoder) {
  return std::make_unique<KernelCache>(decoder);
}

}  // namespace rfs
