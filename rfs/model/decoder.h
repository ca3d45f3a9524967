#pragma once

#include <torch/types.h>

#include <functional>
#include <memory>

#include "rfs/model/batch.h"
#include "rfs/model/block_weights.h"
#include "rfs/model/device_batch.h"
#include "rfs/model/parameters.h"
#include "rfs/model/predictor.h"
#include "rfs/model/spec.h"
#include "rfs/ops/attention.h"

namespace rfs {

struct DecoderPass;

/// Why DeviceOps cannot compute such a model, in a few words; empty if it can.
std::string kernel_refusal(const ModelSpec& spec);

/// A decoder-only Transformer with pre-norm blocks over packed rows. It sees tokens and positions, never the indexing
/// that made the positions. A row's result does not depend on its neighbours.
class Decoder : public Predictor {
 public:
  /// Weights are zero until `initialise` or a load. Weights and results are on `device` (those of best() and losses()
  /// on the CPU); batches may be on any device.
  explicit Decoder(ModelSpec spec, torch::Dtype dtype = torch::kFloat32, torch::Device device = torch::kCPU);
  /// A model with one kind of layer and softmax attention.
  Decoder(const DecoderOptions& options, int64_t vocabulary, std::shared_ptr<const PositionEncoding> encoding,
          torch::Dtype dtype = torch::kFloat32, torch::Device device = torch::kCPU);

  /// Draws the initial weights from the stream "initialisation" of `seed`.
  void initialise(uint64_t seed);

  /// Hidden states [N, width] after the last norm. `dropout` is inactive by default.
  torch::Tensor hidden(const Batch& batch, const Dropout& dropout = {}) const;
  /// Logits [M, V] of hidden states [M, width].
  torch::Tensor logits(const torch::Tensor& hidden_MD) const;
  /// Logits of the batch's targets only.
  torch::Tensor target_logits(const Batch& batch, const Dropout& dropout = {}) const;
  /// Mean cross entropy over the batch's targets.
  torch::Tensor loss(const Batch& batch, const Dropout& dropout = {}) const;

  /// Switches to the project's CUDA kernels, with activations of this type. The weights must be float32 on a GPU.
  /// Throws Error if kernel_refusal names a reason.
  void use_kernels(DType dtype);
  DeviceOps* kernels() const { return kernels_.get(); }  ///< null without use_kernels
  /// The loss on those kernels. It neither synchronizes nor copies from the host, so it can be captured into a graph.
  torch::Tensor loss(const BatchOnDevice& batch) const;

  torch::Tensor best(const Batch& batch) const override;
  torch::Tensor losses(const Batch& batch) const override;

  /// What attention needs to know about a batch, for each kind of layer.
  std::vector<AttentionPlan> plans(const Batch& batch, const Dropout& dropout = {}) const;
  /// A layer's learned score bias [heads, R] of R pairs of a query and a key at these positions; undefined if it has
  /// none.
  torch::Tensor bias(int64_t layer, const torch::Tensor& query_R, const torch::Tensor& key_R) const;
  /// A layer's steps that only the reference computes.
  ScoreSteps steps(int64_t layer) const;
  /// A layer's attention: from queries, keys and values [N, spec().qkv().width()], after QK-norm and query scaling, to
  /// [N, heads * head_width]. If there is a `bias`, attend gets its result, which layers of a kind may share.
  struct Attention {
    std::function<torch::Tensor(const torch::Tensor& qkv_NK, int64_t layer, const torch::Tensor& bias)> attend;
    std::function<torch::Tensor(int64_t layer)> bias = {};
  };
  /// Hidden states with another attention, such as one with a cache of earlier tokens.
  torch::Tensor hidden(const Batch& batch, const Dropout& dropout, const Attention& attention) const;

  /// The same for a batch in GPU memory, on the kernels.
  std::vector<AttentionPlan> plans(const BatchOnDevice& batch) const;
  torch::Tensor hidden(const BatchOnDevice& batch, const Attention& attention) const;  ///< the same for hidden states
  /// The kernels' attention within the batch's rows.
  Attention attention_of(const BatchOnDevice& batch) const;
  /// The factors [N, heads] of a layer's queries; undefined for none. `x_ND` is what the queries are computed from.
  torch::Tensor query_factors(int64_t layer, const torch::Tensor& seen_N, const torch::Tensor& x_ND) const;

  Parameters& parameters() { return parameters_; }                 ///< the weights and their gradients
  const Parameters& parameters() const { return parameters_; }     ///< the same, read only
  const ModelSpec& spec() const { return spec_; }                  ///< what the model computes
  const DecoderOptions& options() const { return spec_.options; }  ///< its [model] table
  int64_t vocabulary() const { return spec_.vocabulary; }          ///< number of token ids
  /// True if positions are added to the embeddings.
  bool adds_positions() const;
  /// True if cached keys can move to new positions by a rotation.
  bool can_rerotate() const;
  torch::Device device() const { return embedding_.device(); }  ///< where its weights are

  Backend backend = Backend::automatic;
  bool recompute = false;  ///< keep only each block's input for the backward pass, which runs the block again

 private:
  using Pass = DecoderPass;
  torch::Tensor hidden(Pass pass, const Attention& attention) const;
  Attention attention_of(const Batch& batch, const Dropout& dropout) const;
  /// One block. `bias` is the one that its kind shares; undefined if it computes its own or has none.
  torch::Tensor block(const Pass& pass, const Attention& attention, int64_t layer, const torch::Tensor& x_ND,
                      const torch::Tensor& bias) const;
  /// Hidden states of the tokens that targets follow.
  torch::Tensor target_hidden(const Batch& batch, const Dropout& dropout) const;

  torch::Tensor embedded(const Pass& pass) const;
  torch::Tensor normed(const Pass& pass, const NormWeights& norm, const torch::Tensor& x_ND) const;
  torch::Tensor mapped(const Pass& pass, const LinearWeights& map, const torch::Tensor& x) const;
  torch::Tensor dropped(const Pass& pass, const torch::Tensor& x_ND, uint32_t site) const;
  torch::Tensor added(const Pass& pass, const torch::Tensor& x_ND, const torch::Tensor& branch_ND, uint32_t site) const;
  torch::Tensor activated(const Pass& pass, torch::Tensor inner_NF, uint32_t site) const;
  /// Applies QK-norm and query scaling if the layer has them. CUDA kernels scale the queries inside attention instead.
  torch::Tensor prepared(const Pass& pass, const torch::Tensor& qkv_NK, const torch::Tensor& x_ND, int64_t layer) const;
  /// The rotation of a batch's queries and keys in one kind of layer.
  Rotation batch_rotation(const LayerKind& kind, const Batch& batch) const;
  double head_scale() const;

  ModelSpec spec_;
  Parameters parameters_;
  torch::Tensor embedding_, head_;
  std::vector<BlockWeights> blocks_;
  NormWeights final_norm_;
  std::unique_ptr<DeviceOps> kernels_;
  struct OnDevice {
    torch::Tensor rotate, slopes;
  };
  std::vector<OnDevice> kinds_on_device_;  // frequencies and slopes of each kind, for the kernels
  torch::Tensor sinusoids_;
};

}  // namespace rfs
