#pragma once

#include <torch/types.h>

#include <functional>
#include <memory>

#include "rfs/model/batch.h"
#include "rfs/model/parameters.h"
#include "rfs/model/predictor.h"
#include "rfs/model/spec.h"
#include "rfs/ops/attention.h"

namespace rfs {

/// A decoder-only Transformer with pre-norm blocks over packed rows. It sees tokens and positions, never how the
/// positions came about. A row's result does not depend on its neighbours.
class Decoder : public Predictor {
 public:
  /// Weights are zero until `initialise` or a load. Weights and results are on `device` (those of best() on the CPU);
  /// batches come from anywhere.
  explicit Decoder(ModelSpec spec, torch::Dtype dtype = torch::kFloat32, torch::Device device = torch::kCPU);
  /// A model whose layers are all alike, with softmax.
  Decoder(const DecoderOptions& options, int64_t vocabulary, std::shared_ptr<const PositionEncoding> encoding,
          torch::Dtype dtype = torch::kFloat32, torch::Device device = torch::kCPU);

  /// Draws the initial weights from the stream "initialisation" of `seed`.
  void initialise(uint64_t seed);

  /// The hidden states [N, width] after the last norm. `dropout` is inactive by default.
  torch::Tensor hidden(const Batch& batch, const Dropout& dropout = {}) const;
  /// Scores over the vocabulary [M, V] of hidden states [M, width].
  torch::Tensor logits(const torch::Tensor& hidden_MD) const;
  /// Scores for the batch's targets alone: logits of hidden at predict_M.
  torch::Tensor target_logits(const Batch& batch, const Dropout& dropout = {}) const;
  /// Mean cross entropy over the batch's targets.
  torch::Tensor loss(const Batch& batch, const Dropout& dropout = {}) const;

  torch::Tensor best(const Batch& batch) const override;
  torch::Tensor losses(const Batch& batch) const override;

  /// What attention needs to know about a batch, for each kind of layer.
  std::vector<AttentionPlan> plans(const Batch& batch, const Dropout& dropout = {}) const;
  /// A layer's learned score bias [heads, R] of R pairs of a query and a key at these positions; undefined where it has
  /// none.
  torch::Tensor bias(int64_t layer, const torch::Tensor& query_R, const torch::Tensor& key_R) const;
  /// A layer's attention: from queries, keys and values [N, spec().qkv().width()], normed and scaled as the layer says,
  /// to [N, heads * head_width].
  using Attend = std::function<torch::Tensor(const torch::Tensor& qkv_NK, int64_t layer)>;
  /// The hidden states with another attention, such as one that remembers earlier tokens.
  torch::Tensor hidden(const Batch& batch, const Dropout& dropout, const Attend& attend) const;

  Parameters& parameters() { return parameters_; }
  const Parameters& parameters() const { return parameters_; }
  const ModelSpec& spec() const { return spec_; }
  const DecoderOptions& options() const { return spec_.options; }
  int64_t vocabulary() const { return spec_.vocabulary; }
  /// Whether positions are added to the embeddings.
  bool adds_positions() const;
  torch::Device device() const { return embedding_.device(); }

  Backend backend = Backend::automatic;

 private:
  struct NormWeights {
    torch::Tensor weight, bias;
  };
  struct Linear {
    torch::Tensor weight, bias;
  };
  struct Block {
    NormWeights attention_norm, query_norm, key_norm;
    Linear qkv, out;
    NormWeights feed_norm;
    Linear feed_in, feed_out;
    std::vector<torch::Tensor> encoding, attention_rule;  ///< what they learn
  };
  torch::Tensor apply(const NormWeights& norm, const torch::Tensor& x_ND) const;
  /// Queries and keys normed, queries scaled, where the layer does so.
  torch::Tensor prepared(const torch::Tensor& qkv_NK, const Block& block, const LayerKind& kind,
                         const torch::Tensor& seen_N) const;
  torch::Tensor activated(torch::Tensor inner_NF) const;

  ModelSpec spec_;
  Parameters parameters_;
  torch::Tensor embedding_, head_;
  std::vector<Block> blocks_;
  NormWeights final_norm_;
};

}  // namespace rfs
