// The backward pass of DeviceDecoder. The gradient of the residual stream flows down in the type of the stream. Matmuls
// for weight gradients run on a side stream, in parallel with the next part of the backward pass.

#include <algorithm>

#include "rfs/engine/device_decoder.h"
#include "rfs/engine/step_memory.h"
#include "rfs/model/sites.h"
#include "rfs/ops/activation_launch.h"
#include "rfs/ops/adamw_launch.h"
#include "rfs/ops/columns_launch.h"
#include "rfs/ops/embedding_launch.h"
#include "rfs/ops/loss_launch.h"
#include "rfs/ops/query_scale_launch.h"
#include "rfs/ops/rows_launch.h"

namespace rfs {

const DeviceEvent& DeviceDecoder::new_event() {
  if (next_event_ == events_.size()) events_.push_back(std::make_unique<DeviceEvent>());
  return *events_[next_event_++];
}

void DeviceDecoder::weight_gradient(const DeviceLinear& map, const void* d_y, const void* x, int rows,
                                    cudaStream_t stream) {
  join(stream, side_stream_, new_event());
  side_stream_matmuls_.weight_gradient(d_y, x, gradient_at(map.weight), rows, map.in, map.out, map.out, side_stream_);
  if (map.bias >= 0) column_sums(dtype_, d_y, rows, map.out, bias_sums(map), side_stream_);
}

NormBackward DeviceDecoder::norm_gradient(const DeviceInput& input, int number, const DeviceNorm& norm) const {
  NormBackward a;
  a.rows = input.rows;
  a.dropout = input.dropout;
  a.dtype = dtype_;
  a.stream = stream_;
  a.count = input.rows.tokens;
  a.width = width_;
  a.weight = vector(norm.weight);
  a.shift = layer_norm_;
  a.d_y = d_y_.as<void>();
  a.d_past = d_stream_.as<void>();
  a.d_stream = d_stream_.as<void>();
  a.partial = partial_.as<float>() + static_cast<int64_t>(number) * norm_blocks(1 << 30) * 2 * width_;
  return a;
}

void DeviceDecoder::head_gradient(const DeviceInput& input, cudaStream_t stream) {
  const bool several = input.targets > head_rows;
  const auto at = [&](const DeviceMemory& memory, int row) {
    return memory.as<char>() + static_cast<size_t>(row) * static_cast<size_t>(width_) * dtype_bytes();
  };
  // Parts are summed in float32.
  float* const sum = dtype_ == DType::bf16 ? head_sum_.as<float>() : reinterpret_cast<float*>(gradient_at(head_));
  const int whole = vocabulary_ / 64 * 64;
  for (int first = 0; first < input.targets; first += head_rows) {
    const int count = std::min(head_rows, input.targets - first);
    const void* y = at(last_y_, first);
    if (first > 0) join(side_stream_, stream, new_event());  // it has read the previous part's logits
    matmuls_.forward(y, product_weights(head_), nullptr, logits_.as<void>(), count, width_, stride_, stride_, false,
                     stream);
    loss_and_gradient(dtype_, logits_.as<void>(), input.labels + first, input.real_targets, count, vocabulary_, stride_,
                      losses_.as<float>() + first, stream);
    join(stream, side_stream_, new_event());
    // Matmuls of a multiple of 64 rows are faster, so the remaining rows are a small separate matmul.
    for (const auto& [begin, end] : {std::pair(0, whole), std::pair(whole, vocabulary_)}) {
      if (begin == end) continue;
      const int64_t to = static_cast<int64_t>(begin) * width_;
      const char* logits = logits_.as<char>() + static_cast<size_t>(begin) * dtype_bytes();
      if (several) {
        side_stream_matmuls_.sum_weight_gradient(logits, y, sum + to, count, width_, end - begin, stride_, first > 0,
                                                 side_stream_);
      } else {
        side_stream_matmuls_.weight_gradient(logits, y, gradient_at(head_ + to), count, width_, end - begin, stride_,
                                             side_stream_);
      }
    }
    matmuls_.input_gradient(logits_.as<void>(), product_weights(head_), at(d_last_, first), count, width_, stride_,
                            stride_, stream);
  }
  if (several && dtype_ == DType::bf16) {
    rfs::round_weights(sum, static_cast<int64_t>(vocabulary_) * width_, gradient_at(head_), side_stream_);
  }
}

void DeviceDecoder::backward(const DeviceInput& input, cudaStream_t stream, bool squares) {
  const int tokens = input.rows.tokens, inner = heads_ * head_width_;
  const auto clear = [&](void* memory, size_t elements) {
    check_cuda(cudaMemsetAsync(memory, 0, elements * dtype_bytes(), stream), "clearing memory");
  };
  next_event_ = 0;
  join(stream, side_stream_, new_event());
  check_cuda(order_tokens(input.ids, tokens, vocabulary_, order_.as<void>(), side_stream_), "sorting tokens");
  head_gradient(input, stream);
  const DeviceEvent& head_done = new_event();  // on the side stream
  check_cuda(cudaEventRecord(head_done, side_stream_), "recording an event");
  const auto buffer = [](int layer) { return static_cast<size_t>(layer % 2); };
  NormBackward after = norm_gradient(input, 2 * layers_, final_norm_);
  after.count = input.targets;
  after.select = input.predict;
  after.sum = last_.as<void>();
  after.mean = last_mean_.as<float>();
  after.inverse = last_inverse_.as<float>();
  after.d_y = d_last_.as<void>();
  after.scale = head_scale_;
  after.output_site = DropoutSites::last;
  after.d_past = nullptr;
  after.d_stream = d_last_stream_.as<void>();
  after.d_branch = d_branch_[buffer(layers_ - 1)].as<void>();
  after.branch_kept = last_branch_.as<uint8_t>();
  norm_backward(after, stream);
  const auto down = [&](const DeviceLinear& map, const void* d_y, void* d_x, int rows) {
    matmuls_.input_gradient(d_y, product_weights(map.weight), d_x, rows, map.in, map.out, map.out, stream);
  };
  const DeviceEvent* side_stream_done = nullptr;  // the side stream has finished the layer above
  for (int layer = layers_ - 1; layer >= 0; --layer) {
    const DeviceBlock& block = blocks_[static_cast<size_t>(layer)];
    BlockKept& k = kept(layer);
    void *d_branch = d_branch_[buffer(layer)].as<void>(), *d_hidden = d_hidden_[buffer(layer)].as<void>();
    void *d_middle = d_middle_[buffer(layer)].as<void>(), *d_qkv = d_qkv_[buffer(layer)].as<void>();
    const Activation act = activation(input, layer);
    const int rows = rows_after(input, layer);

    // Clears the rows of d_middle that only fill up a bucket and belong to no token.
    if (last(layer)) clear(d_middle, static_cast<size_t>(rows) * static_cast<size_t>(width_));
    weight_gradient(block.feed_out, d_branch, act.h, rows, stream);
    if (fused_gelu(input)) {
      matmuls_.input_gradient(d_branch, product_weights(block.feed_out.weight), d_hidden, rows, feed_, width_, width_,
                              stream, act.u);
    } else {
      void* d_h = is_gated(activation_) ? d_gated_.as<void>() : d_hidden;
      down(block.feed_out, d_branch, d_h, rows);
      activation_backward(act, d_h, d_hidden, stream);
    }
    weight_gradient(block.feed_in, d_hidden, k.y2.as<void>(), rows, stream);
    down(block.feed_in, d_hidden, d_y_.as<void>(), rows);
    NormBackward between = norm_gradient(input, 2 * layer + 1, block.feed_norm);
    between.sum = k.middle.as<void>();
    between.mean = k.mean2.as<float>();
    between.inverse = k.inverse2.as<float>();
    between.d_branch = d_middle;
    between.branch_kept = k.branch2.as<uint8_t>();
    if (last(layer)) {
      between.target_of = input.target_of;
      between.d_past = d_last_stream_.as<void>();
    }
    norm_backward(between, stream);

    const DeviceAttention attend = attention(input, layer);
    weight_gradient(block.out, d_middle, last(layer) ? attention_output_.as<void>() : k.attention_output_of(attend),
                    rows, stream);
    if (last(layer)) {
      down(block.out, d_middle, d_chosen_.as<void>(), rows);
      const int bytes = inner * static_cast<int>(dtype_bytes());
      gather_rows(d_chosen_.as<void>(), input.target_of, tokens, bytes, d_attention_output_.as<void>(), stream);
    } else {
      down(block.out, d_middle, d_attention_output_.as<void>(), rows);
    }
    const AttentionGradient to{
        d_attention_output_.as<void>(), d_qkv, k.d_factors.as<float>(), nullptr, d_heads_.as<void>(),
        inner_products_.as<float>()};
    chosen_attention_backward(attend, k.flash, to, stream);
    weight_gradient(block.qkv, d_qkv, k.y1.as<void>(), tokens, stream);
    down(block.qkv, d_qkv, d_y_.as<void>(), tokens);
    // The next layer overwrites the buffers that the layer above used.
    if (side_stream_done) check_cuda(cudaStreamWaitEvent(stream, *side_stream_done, 0), "waiting for an event");
    // Sums the squares while the layer's gradients are still in the cache.
    if (squares) add_squares(layer, block.begin, block.end, side_stream_);
    side_stream_done = &new_event();
    check_cuda(cudaEventRecord(*side_stream_done, side_stream_), "recording an event");
    NormBackward before = norm_gradient(input, 2 * layer, block.attention_norm);
    before.sum = layer > 0 ? k.stream.as<void>() : x_.as<void>();
    before.mean = k.mean1.as<float>();
    before.inverse = k.inverse1.as<float>();
    if (layer > 0) {
      before.d_branch = d_branch_[buffer(layer - 1)].as<void>();
      before.branch_kept = k.branch1.as<uint8_t>();
    } else {
      before.stream_site = DropoutSites::embedding;
    }
    norm_backward(before, stream);
  }
  join(stream, side_stream_, new_event());
  add_sums(tokens, input.targets, side_stream_);
  if (const auto& [tensors, count] = scale_gradients_; count > 0) {
    scale_gradients(dtype_, tensors.as<ScaleGradient>(), count, input.rows, heads_, side_stream_);
  }
  if (squares) add_squares(layers_ + 1, matrices_, size_, side_stream_);
  const int64_t table = static_cast<int64_t>(vocabulary_) * width_;
  check_cuda(cudaStreamWaitEvent(stream, head_done, 0), "waiting for an event");
  if (!tied_) clear(gradient_at(embedding_), static_cast<size_t>(table));
  embedding_backward(dtype_, order_.as<void>(), tokens, width_, stream_, d_stream_.as<void>(), gradient_at(embedding_),
                     stream);
  if (squares) add_squares(layers_, embedding_, embedding_ + table, stream);
  if (squares && !tied_) add_squares(layers_ + 2, head_, head_ + table, stream);
  join(side_stream_, stream, new_event());
}

QueryScale DeviceDecoder::query_scale(int layer) const {
  QueryScale scale = kinds_.query_scale(layer);
  for (int k = 0; k < scale.count; ++k) scale.learned[k] = vector(blocks_[static_cast<size_t>(layer)].learned[k]);
  return scale;
}

void DeviceDecoder::list_scale_gradients() {
  std::vector<ScaleGradient> all;
  for (int layer = 0; layer < layers_; ++layer) {
    const QueryScale scale = query_scale(layer);
    for (int k = 0; k < scale.count; ++k) {
      all.push_back({kept(layer).d_factors.as<float>(), scale.terms + k * scale.stride,
                     gradient_at(blocks_[static_cast<size_t>(layer)].learned[k])});
    }
  }
  scale_gradients_ = {device_copy(all), static_cast<int>(all.size())};
}

bool DeviceDecoder::fused_gelu(const DeviceInput& input) const {
  return activation_ == FeedForward::gelu && dtype_ == DType::bf16 && input.dropout.threshold == 0;
}

int DeviceDecoder::square_parts() const {
  return (layers_ + (tied_ ? 2 : 3)) * square_blocks;
}

void DeviceDecoder::add_squares(int number, int64_t begin, int64_t end, cudaStream_t stream) {
  sum_squares(dtype_, gradient_at(begin), end - begin, squares_.as<float>() + number * square_blocks, stream);
}

void DeviceDecoder::prepare(int tokens, int targets) {
  const std::pair blocks(norm_blocks(tokens), norm_blocks(targets));
  if (sums_.contains(blocks)) return;
  std::vector<PartialSums> sets;
  int number = 0;
  const auto add_norm = [&](const DeviceNorm& norm, int parts) {
    const int stride = (layer_norm_ ? 2 : 1) * width_;
    const float* from = partial_.as<float>() + static_cast<int64_t>(number++) * norm_blocks(1 << 30) * 2 * width_;
    sets.push_back({from, gradient_at(norm.weight), parts, stride, width_});
    if (layer_norm_) sets.push_back({from + width_, gradient_at(norm.bias), parts, stride, width_});
  };
  for (const DeviceBlock& block : blocks_) {
    add_norm(block.attention_norm, blocks.first);
    add_norm(block.feed_norm, blocks.first);
  }
  add_norm(final_norm_, blocks.second);
  for (const DeviceBlock& block : blocks_) {
    for (const DeviceLinear& map : {block.qkv, block.out, block.feed_in, block.feed_out}) {
      if (map.bias >= 0) sets.push_back({bias_sums(map), gradient_at(map.bias), column_parts, map.out, map.out});
    }
  }
  sums_.emplace(blocks, std::pair(device_copy(sets), static_cast<int>(sets.size())));
}

float* DeviceDecoder::bias_sums(const DeviceLinear& map) const {
  return bias_sums_.as<float>() + column_parts * (map.bias - matrices_);
}

void DeviceDecoder::add_sums(int tokens, int targets, cudaStream_t stream) {
  const auto& [sets, count] = sums_.at({norm_blocks(tokens), norm_blocks(targets)});
  const DeviceBlock& block = blocks_.front();
  const int widest = block.qkv.bias < 0 ? width_ : std::max({width_, block.qkv.out, block.feed_in.out});
  add_partial_sums(dtype_, sets.as<PartialSums>(), count, widest, stream);
}

}  // namespace rfs
