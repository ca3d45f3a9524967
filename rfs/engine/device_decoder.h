#pragma once

#include <map>
#include <memory>
#include <vector>

#include "rfs/engine/block.h"
#include "rfs/engine/device_kinds.h"
#include "rfs/engine/device_update.h"
#include "rfs/model/decoder.h"
#include "rfs/ops/activation_launch.h"
#include "rfs/ops/attention_launch.h"
#include "rfs/ops/norm_launch.h"

namespace rfs {

/// A decoder on a GPU: its weights, and its activations for a limited number of tokens and targets. It is the fused
/// version of Decoder's forward and backward pass. After its attention, the last block processes only the tokens that
/// precede a target. Nothing here synchronizes with the GPU.
class DeviceDecoder {
 public:
  /// Copies the weights. With `training`, it has gradients and keeps all activations. `stream`: of the residual stream.
  DeviceDecoder(const Decoder& decoder, DType dtype, bool training, DType stream = DType::fp32);
  /// Shares the weights of `other`, for inference.
  explicit DeviceDecoder(const DeviceDecoder& other);

  /// Allocates memory for batches of this size. Throws Error if there is not enough. Earlier contents are lost, so no
  /// kernel may be using them. Returns the number of bytes in use.
  size_t reserve(int tokens, int targets);

  /// Starts to update the weights on some of the multiprocessors. Call `forward` next: it waits for each block's
  /// weights when it needs them.
  void start_update(const Update& update, cudaStream_t stream);
  /// Runs up to the final norm, for the tokens that precede a target.
  void forward(const DeviceInput& input, cudaStream_t stream);
  /// After `forward`: the most likely token for each target.
  void best(const DeviceInput& input, int32_t* best_M, cudaStream_t stream);
  /// After `forward` of a decoder without training: the loss of each label.
  void losses(const DeviceInput& input, float* losses_M, cudaStream_t stream);
  /// After `forward`: the gradient of the mean loss. losses() then has each target's loss. With `squares`, squares()
  /// has square_parts() partial sums of the squared gradient.
  void backward(const DeviceInput& input, cudaStream_t stream, bool squares = true);
  /// Must be called once for these sizes before a backward pass is captured into a graph.
  void prepare(int tokens, int targets);

  int64_t size() const { return size_; }
  int64_t matrices() const { return matrices_; }
  float* weights() const { return weights_->as<float>(); }
  void* low_weights() const { return dtype_ == DType::bf16 ? low_->as<void>() : nullptr; }
  /// Elements have the type of the activations.
  void* gradient() const { return gradient_.as<void>(); }
  const float* losses() const { return losses_.as<float>(); }
  float* squares() const { return squares_.as<float>(); }
  int square_parts() const;
  /// Refreshes the bf16 copies of the weights that matmuls read.
  void round_weights(cudaStream_t stream);

 private:
  const void* product_weights(int64_t offset) const;
  const void* product_bias(int64_t offset) const { return offset < 0 ? nullptr : product_weights(offset); }
  const float* vector(int64_t offset) const { return offset < 0 ? nullptr : weights() + offset; }
  void multiply(const DeviceLinear& map, const void* x, void* y, int rows, cudaStream_t stream);
  bool updating() const { return update_ && update_->now; }
  Matmuls& forward_matmuls() { return updating() ? update_->matmuls : matmuls_; }
  /// The rest of start_update's work, done once `stream` has read the embeddings.
  void update_tables(cudaStream_t stream);
  /// The arguments that all norms share, and those that their gradients share.
  NormForward norm(const DeviceInput& input, const DeviceNorm& norm) const;
  NormBackward norm_gradient(const DeviceInput& input, int number, const DeviceNorm& norm) const;
  DeviceAttention attention(const DeviceInput& input, int layer);
  Activation activation(const DeviceInput& input, int layer);
  QueryScale query_scale(int layer) const;
  void list_scale_gradients();
  bool last(int layer) const { return layer + 1 == layers_; }
  int qkv_width() const { return (heads_ + 2 * kv_heads_) * head_width_; }
  /// Number of rows after a block's attention.
  int rows_after(const DeviceInput& input, int layer) const { return last(layer) ? input.targets : input.rows.tokens; }
  char* gradient_at(int64_t at) const { return gradient_.as<char>() + static_cast<int64_t>(dtype_bytes()) * at; }
  /// True if GELU runs inside the matmuls before and after it (bf16 without dropout).
  bool fused_gelu(const DeviceInput& input) const;
  BlockKept& kept(int64_t layer) { return kept_[training_ ? static_cast<size_t>(layer) : 0]; }
  /// Calls `body(first, count)` for slices of the targets, whose logits are then in logits_ as float32.
  template <class Body>
  void for_each_logits(const DeviceInput& input, cudaStream_t stream, Body body);
  void head_gradient(const DeviceInput& input, cudaStream_t stream);
  /// Runs on the side stream, after the work submitted to `stream` so far.
  void weight_gradient(const DeviceLinear& map, const void* d_y, const void* x, int rows, cudaStream_t stream);
  float* bias_sums(const DeviceLinear& map) const;
  void add_sums(int tokens, int targets, cudaStream_t stream);
  /// Writes sums of squares of the gradient's elements begin .. end to slot `number`.
  void add_squares(int number, int64_t begin, int64_t end, cudaStream_t stream);
  /// Calls `body(buffer, bytes)` for every buffer that `reserve` allocates.
  template <class Body>
  void for_each_buffer(int tokens, int targets, Body body);
  static size_t bytes_of(DType type) { return type == DType::bf16 ? 2 : 4; }
  size_t dtype_bytes() const { return bytes_of(dtype_); }
  DType dtype_, stream_;
  bool training_;
  int layers_, width_, heads_, kv_heads_, head_width_, feed_, vocabulary_;
  // Logits per row. Matmuls of a multiple of 64 logits are several times faster, so the head is read with up to 63
  // extra rows of whatever follows it. That memory exists. The extra logits are never read, and their gradients are 0.
  int stride_;
  float epsilon_, score_scale_, head_scale_;
  FeedForward activation_;
  bool layer_norm_, tied_;
  int64_t size_, matrices_, embedding_ = 0, head_ = 0;
  std::vector<DeviceBlock> blocks_;
  DeviceNorm final_norm_;
  DeviceKinds kinds_;
  std::shared_ptr<DeviceMemory> weights_, low_, sinusoids_;
  DeviceMemory gradient_, partial_, squares_, order_, bias_sums_;
  Matmuls matmuls_, side_stream_matmuls_;
  std::unique_ptr<DeviceUpdate> update_;  // only in training
  int tokens_ = 0, targets_ = 0;          // allocated sizes
  std::vector<BlockKept> kept_;
  std::pair<DeviceMemory, int> scale_gradients_;  // inputs of scale_gradients() for all layers, and their number
  DeviceMemory x_, branch_, attention_output_, last_, last_branch_, last_mean_, last_inverse_, last_y_, logits_,
      losses_, head_sum_;
  // Gradients. Layers alternate between two buffers, so that weight gradients can overlap with the next layer.
  DeviceMemory d_stream_, d_last_stream_, d_y_, d_attention_output_, d_chosen_, d_last_, d_gated_, d_heads_,
      inner_products_, d_branch_[2], d_middle_[2], d_hidden_[2], d_qkv_[2];
  // Partial sums to add up, for each pair of block counts seen so far.
  std::map<std::pair<int, int>, std::pair<DeviceMemory, int>> sums_;
  DeviceStream side_stream_;
  std::vector<std::unique_ptr<DeviceEvent>> events_;
  size_t next_event_ = 0;
  const DeviceEvent& new_event();
};

}  // namespace rfs
