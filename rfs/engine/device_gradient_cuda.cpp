// The backward pass of DeviceDecoder. The gradient of the residual stream flows down in float32; products that give
// gradients of weights run on a side stream, beside the next part of the way down.

#include "rfs/engine/device_decoder.h"
#include "rfs/model/sites.h"
#include "rfs/ops/activation_launch.h"
#include "rfs/ops/adamw_launch.h"
#include "rfs/ops/embedding_launch.h"
#include "rfs/ops/loss_launch.h"

namespace rfs {

const DeviceEvent& DeviceDecoder::mark() {
  if (next_mark_ == marks_.size()) marks_.push_back(std::make_unique<DeviceEvent>());
  return *marks_[next_mark_++];
}

void DeviceDecoder::weight_gradient(const Linear& map, const void* d_y, const void* x, int rows, cudaStream_t stream) {
  join(stream, side_, mark());
  float* d_bias = map.bias < 0 ? nullptr : gradient() + map.bias;
  side_products_.weight_gradient(d_y, x, gradient() + map.weight, d_bias, rows, map.in, map.out, map.out, side_);
}

void DeviceDecoder::norm_gradient(const DeviceInput& input, int number, const Norm& norm, const float* sum,
                                  const float* mean, const float* inverse, const void* d_y, void* d_branch,
                                  uint32_t site, cudaStream_t stream) {
  NormBackward a;
  a.rows = input.rows;
  a.dropout = input.dropout;
  a.element = element_;
  a.width = width_;
  a.sum = sum;
  a.mean = mean;
  a.inverse = inverse;
  a.weight = vector(norm.weight);
  a.shift = layer_norm_;
  a.d_y = d_y;
  a.d_past = d_stream_.as<float>();
  a.d_stream = d_stream_.as<float>();
  a.d_branch = d_branch;
  a.branch_site = site;
  if (number == 0) a.stream_site = DropoutSites::embedding;
  a.partial = partial_.as<float>() + static_cast<int64_t>(number) * norm_blocks(1 << 30) * 2 * width_;
  if (&norm == &final_norm_) {
    a.place = input.place;
    a.scale = head_scale_;
    a.output_site = DropoutSites::last;
    a.d_past = nullptr;
  }
  norm_backward(a, stream);
}

void DeviceDecoder::head_gradient(const DeviceInput& input, cudaStream_t stream) {
  void* logits = logits_.as<void>();
  products_.forward(last_y_.as<void>(), product_weights(head_), nullptr, logits, input.targets, width_, stride_,
                    stride_, false, stream);
  loss_and_gradient(element_, logits, input.labels, input.real_targets, input.targets, vocabulary_, stride_,
                    losses_.as<float>(), stream);
  join(stream, side_, mark());
  side_products_.weight_gradient(logits, last_y_.as<void>(), gradient() + head_, nullptr, input.targets, width_,
                                 stride_, stride_, side_);
  products_.input_gradient(logits, product_weights(head_), d_last_.as<void>(), input.targets, width_, stride_, stride_,
                           stream);
}

void DeviceDecoder::backward(const DeviceInput& input, cudaStream_t stream) {
  const int tokens = input.rows.tokens;
  next_mark_ = 0;
  head_gradient(input, stream);
  const auto turn = [](int layer) { return static_cast<size_t>(layer % 2); };
  norm_gradient(input, 2 * layers_, final_norm_, last_.as<float>(), last_mean_.as<float>(), last_inverse_.as<float>(),
                d_last_.as<void>(), d_branch_[turn(layers_ - 1)].as<void>(), DropoutSites::feed_branch(layers_ - 1),
                stream);
  const auto down = [&](const Linear& map, const void* d_y, void* d_x) {
    products_.input_gradient(d_y, product_weights(map.weight), d_x, tokens, map.in, map.out, map.out, stream);
  };
  const DeviceEvent* side_done = nullptr;  // the side stream is done with the layer above
  for (int layer = layers_ - 1; layer >= 0; --layer) {
    const Block& block = blocks_[static_cast<size_t>(layer)];
    Kept& k = kept(layer);
    void *d_branch = d_branch_[turn(layer)].as<void>(), *d_hidden = d_hidden_[turn(layer)].as<void>();
    void *d_middle = d_middle_[turn(layer)].as<void>(), *d_qkv = d_qkv_[turn(layer)].as<void>();
    const Activation act = activation(input, layer);

    weight_gradient(block.feed_out, d_branch, act.h, tokens, stream);
    if (fused_gelu(input)) {
      products_.input_gradient(d_branch, product_weights(block.feed_out.weight), d_hidden, tokens, feed_, width_,
                               width_, stream, act.u);
    } else {
      down(block.feed_out, d_branch, d_hidden);
      activation_backward(act, d_hidden, stream);
    }
    weight_gradient(block.feed_in, d_hidden, k.y2.as<void>(), tokens, stream);
    down(block.feed_in, d_hidden, d_y_.as<void>());
    norm_gradient(input, 2 * layer + 1, block.feed_norm, k.middle.as<float>(), k.mean2.as<float>(),
                  k.inverse2.as<float>(), d_y_.as<void>(), d_middle, DropoutSites::attention_branch(layer), stream);

    weight_gradient(block.out, d_middle, k.heard.as<void>(), tokens, stream);
    down(block.out, d_middle, d_heard_.as<void>());
    const DeviceAttention attend = attention(input, layer);
    flash_fits(attend) ? flash_backward(attend, k.flash, d_heard_.as<void>(), d_qkv, stream)
                       : attention_backward(attend, d_heard_.as<void>(), d_qkv, stream);
    weight_gradient(block.qkv, d_qkv, k.y1.as<void>(), tokens, stream);
    down(block.qkv, d_qkv, d_y_.as<void>());
    // The next layer writes the buffers that the layer above used.
    if (side_done) check_cuda(cudaStreamWaitEvent(stream, *side_done, 0), "waiting for an event");
    // While the layer's gradients are still in the cache.
    const int64_t begin = block.qkv.weight, last = block.feed_out.weight;
    add_squares(layer, begin, last + static_cast<int64_t>(feed_) * width_, side_);
    side_done = &mark();
    check_cuda(cudaEventRecord(*side_done, side_), "recording an event");
    norm_gradient(input, 2 * layer, block.attention_norm, layer ? k.stream.as<float>() : x_.as<float>(),
                  k.mean1.as<float>(), k.inverse1.as<float>(), d_y_.as<void>(),
                  layer ? d_branch_[turn(layer - 1)].as<void>() : nullptr,
                  layer ? DropoutSites::feed_branch(layer - 1) : 0, stream);
  }
  join(side_, stream, mark());
  if (!tied_) {
    check_cuda(cudaMemsetAsync(gradient() + embedding_, 0,
                               static_cast<size_t>(vocabulary_) * static_cast<size_t>(width_) * sizeof(float), stream),
               "clearing a gradient");
  }
  embedding_backward(input.ids, tokens, width_, d_stream_.as<float>(), gradient() + embedding_, stream);
  add_sums(tokens, stream);
  const int64_t table = static_cast<int64_t>(vocabulary_) * width_;
  add_squares(layers_, embedding_, embedding_ + table, stream);
  add_squares(layers_ + 1, matrices_, size_, stream);
  if (!tied_) add_squares(layers_ + 2, head_, head_ + table, stream);
}

int DeviceDecoder::square_parts() const {
  return (layers_ + (tied_ ? 2 : 3)) * square_blocks;
}

void DeviceDecoder::add_squares(int number, int64_t begin, int64_t end, cudaStream_t stream) {
  sum_squares(gradient() + begin, end - begin, squares_.as<float>() + number * square_blocks, stream);
}

void DeviceDecoder::prepare(int tokens) {
  const int blocks = norm_blocks(tokens);
  if (sums_.contains(blocks)) return;
  std::vector<PartialSums> sets;
  int number = 0;
  const auto add_norm = [&](const Norm& norm) {
    const int stride = (layer_norm_ ? 2 : 1) * width_;
    const float* from = partial_.as<float>() + static_cast<int64_t>(number++) * norm_blocks(1 << 30) * 2 * width_;
    sets.push_back({from, gradient() + norm.weight, blocks, stride, width_});
    if (layer_norm_) sets.push_back({from + width_, gradient() + norm.bias, blocks, stride, width_});
  };
  for (const Block& block : blocks_) {
    add_norm(block.attention_norm);
    add_norm(block.feed_norm);
  }
  add_norm(final_norm_);
  sums_.emplace(blocks, std::pair(device_copy(sets), static_cast<int>(sets.size())));
}

void DeviceDecoder::add_sums(int tokens, cudaStream_t stream) {
  const auto& [sets, count] = sums_.at(norm_blocks(tokens));
  add_partial_sums(sets.as<PartialSums>(), count, width_, stream);
}

}  // namespace rfs
