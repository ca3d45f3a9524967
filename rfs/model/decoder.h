#pragma once

#include <torch/types.h>

#include <functional>
#include <memory>

#include "rfs/encodings/encoding.h"
#include "rfs/model/batch.h"
#include "rfs/model/options.h"
#include "rfs/model/parameters.h"
#include "rfs/model/predictor.h"
#include "rfs/ops/attention.h"

namespace rfs {

/// A decoder-only Transformer with pre-norm blocks over packed rows. It sees tokens and positions, never how the
/// positions came about. A row's result does not depend on its neighbours.
class Decoder : public Predictor {
 public:
  /// Weights are zero until `initialise` or a load. `encoding` is shared because choices of it are immutable.
  /// Weights and results are on `device` (those of best() on the CPU); batches come from anywhere.
  Decoder(const DecoderOptions& options, int64_t vocabulary, std::shared_ptr<const PositionEncoding> encoding,
          torch::Dtype dtype = torch::kFloat32, torch::Device device = torch::kCPU);

  /// Draws the first weights from the stream "initialisation" of `seed`.
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

  /// What attention needs to know about a batch.
  AttentionPlan plan(const Batch& batch, const Dropout& dropout = {}) const;
  /// A layer's attention: from queries, keys and values [N, 3 * heads * head_width] to [N, heads * head_width].
  using Attend = std::function<torch::Tensor(const torch::Tensor& qkv_NK, size_t layer)>;
  /// The hidden states with another attention, such as one that remembers earlier tokens.
  torch::Tensor hidden(const Batch& batch, const Dropout& dropout, const Attend& attend) const;

  Parameters& parameters() { return parameters_; }
  const Parameters& parameters() const { return parameters_; }
  const DecoderOptions& options() const { return options_; }
  const PositionEncoding& encoding() const { return *encoding_; }
  int64_t vocabulary() const { return vocabulary_; }
  torch::Device device() const { return embedding_.device(); }

  Backend backend = Backend::automatic;

 private:
  struct Norm {
    torch::Tensor weight, bias;
  };
  struct Linear {
    torch::Tensor weight, bias;
  };
  struct Block {
    Norm attention_norm;
    Linear qkv, out;
    Norm feed_norm;
    Linear feed_in, feed_out;
  };
  torch::Tensor apply(const Norm& norm, const torch::Tensor& x_ND) const;

  DecoderOptions options_;
  int64_t vocabulary_;
  std::shared_ptr<const PositionEncoding> encoding_;
  std::vector<double> frequencies_, slopes_;
  Parameters parameters_;
  torch::Tensor embedding_, head_;
  std::vector<Block> blocks_;
  Norm final_norm_;
};

}  // namespace rfs
