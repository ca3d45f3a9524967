// Shapes: N packed tokens, M targets, D width, H heads, E dims per head, F hidden width of the feed-forward block.

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "rfs/engine/device_decoder.h"
#include "rfs/model/parameter_list.h"
#include "rfs/model/sites.h"
#include "rfs/ops/activation_launch.h"
#include "rfs/ops/columns_launch.h"
#include "rfs/ops/embedding_launch.h"
#include "rfs/ops/loss_launch.h"
#include "rfs/ops/rows_launch.h"

namespace rfs {
namespace {

constexpr int most_logits = 4096;  // maximum rows of logits in memory at inference

/// Range of a block's parameters with weight decay in the flat buffer. They must be contiguous.
std::pair<int64_t, int64_t> decayed_range(const Parameters& parameters, const std::string& prefix) {
  int64_t begin = parameters.decayed(), end = 0, count = 0;
  for (const auto& [name, tensor] : parameters.items()) {
    const int64_t first = tensor.storage_offset();
    if (first >= parameters.decayed() || !name.starts_with(prefix)) continue;
    begin = std::min(begin, first);
    end = std::max(end, first + tensor.numel());
    count += tensor.numel();
  }
  TORCH_CHECK(count == end - begin, "engine: the parameters of ", prefix, " are not contiguous");
  return {begin, end};
}

std::shared_ptr<DeviceMemory> shared(DeviceMemory memory) {
  return std::make_shared<DeviceMemory>(std::move(memory));
}

}  // namespace

DeviceDecoder::DeviceDecoder(const Decoder& decoder, DType dtype, bool training, DType stream)
    : dtype_(dtype),
      stream_(stream),
      training_(training),
      layers_(static_cast<int>(*decoder.options().layers)),
      width_(static_cast<int>(*decoder.options().width)),
      heads_(static_cast<int>(*decoder.options().heads)),
      kv_heads_(static_cast<int>(decoder.options().key_heads())),
      head_width_(static_cast<int>(*decoder.options().head_width)),
      feed_(static_cast<int>(*decoder.options().feed_width)),
      vocabulary_(static_cast<int>(decoder.vocabulary())),
      stride_((vocabulary_ + 63) / 64 * 64),
      epsilon_(static_cast<float>(*decoder.options().norm_epsilon)),
      score_scale_(decoder.options().scale_scores ? 1 / std::sqrt(static_cast<float>(head_width_)) : 1),
      head_scale_(decoder.options().scale_head ? 1 / std::sqrt(static_cast<float>(width_)) : 1),
      activation_(*decoder.options().activation),
      layer_norm_(*decoder.options().norm == Norm::layer),
      tied_(*decoder.options().tied),
      size_(decoder.parameters().size()),
      matrices_(decoder.parameters().decayed()),
      kinds_(decoder.spec()),
      matmuls_(dtype),
      side_stream_matmuls_(dtype) {
  const auto& parameters = decoder.parameters();
  const auto at = [&](const std::string& name) { return parameters[name].storage_offset(); };
  const auto norm = [&](const std::string& name) {
    return DeviceNorm{at(name + ".weight"), layer_norm_ ? at(name + ".bias") : -1};
  };
  const auto linear = [&](const std::string& name, int in, int out) {
    return DeviceLinear{at(name + ".weight"), decoder.options().bias ? at(name + ".bias") : -1, in, out};
  };
  const int inner = heads_ * head_width_;
  int64_t ranged = static_cast<int64_t>(tied_ ? 1 : 2) * vocabulary_ * width_;
  for (int layer = 0; layer < layers_; ++layer) {
    const auto block = "blocks." + std::to_string(layer) + ".";
    blocks_.push_back({norm(block + "attention_norm"), norm(block + "feed_norm"),
                       linear(block + "attention.qkv", width_, qkv_width()),
                       linear(block + "attention.out", inner, width_),
                       linear(block + "feed.in", width_, (is_gated(activation_) ? 2 : 1) * feed_),
                       linear(block + "feed.out", feed_, width_)});
    std::tie(blocks_.back().begin, blocks_.back().end) = decayed_range(parameters, block);
    ranged += blocks_.back().end - blocks_.back().begin;
    const LayerKind& of = decoder.spec().kind(layer);
    size_t term = 0;
    for (const auto& tensor : of.attention->learned(decoder.spec().shape(of))) {
      blocks_.back().learned[term++] = at(rule_prefix(layer) + tensor.name);
    }
  }
  final_norm_ = norm("final_norm");
  embedding_ = at("embedding.weight");
  head_ = tied_ ? embedding_ : at("head.weight");
  // The update and the gradient norm cover the tables, the ranges of the blocks and the parameters without weight
  // decay.
  TORCH_CHECK(ranged == matrices_, "engine: some parameters with weight decay belong to no block");

  const auto flat = parameters.flat().detach().to(torch::kCPU, torch::kFloat32).contiguous();
  const auto room = static_cast<size_t>(whole_fours(size_) + static_cast<int64_t>(stride_ - vocabulary_) * width_);
  weights_ = shared(device_array<float>(room));
  check_cuda(cudaMemset(weights(), 0, weights_->bytes()), "clearing memory");
  check_cuda(cudaMemcpy(weights(), flat.const_data_ptr<float>(), static_cast<size_t>(size_) * sizeof(float),
                        cudaMemcpyHostToDevice),
             "copying weights to the GPU");
  if (dtype_ == DType::bf16) {
    low_ = shared(DeviceMemory(2 * room));
    check_cuda(cudaMemset(low_->as<void>(), 0, low_->bytes()), "clearing memory");
    round_weights(nullptr);
  }
  sinusoids_ = shared(device_copy(decoder.spec().kinds.front().encoding->sinusoids(width_)));
  if (training_) {
    squares_ = device_array<float>(static_cast<size_t>(square_parts()));
    gradient_ = DeviceMemory(room * dtype_bytes());
    partial_ = device_array<float>(static_cast<size_t>(2 * layers_ + 1) * norm_blocks(1 << 30) * 2 * width_);
    if (decoder.options().bias) {
      bias_sums_ = device_array<float>(static_cast<size_t>(column_parts * (size_ - matrices_)));
    }
    update_ = std::make_unique<DeviceUpdate>(dtype_);
  }
  finish_copies();
}

DeviceDecoder::DeviceDecoder(const DeviceDecoder& o)
    : dtype_(o.dtype_),
      stream_(o.stream_),
      training_(false),
      layers_(o.layers_),
      width_(o.width_),
      heads_(o.heads_),
      kv_heads_(o.kv_heads_),
      head_width_(o.head_width_),
      feed_(o.feed_),
      vocabulary_(o.vocabulary_),
      stride_(o.stride_),
      epsilon_(o.epsilon_),
      score_scale_(o.score_scale_),
      head_scale_(o.head_scale_),
      activation_(o.activation_),
      layer_norm_(o.layer_norm_),
      tied_(o.tied_),
      size_(o.size_),
      matrices_(o.matrices_),
      embedding_(o.embedding_),
      head_(o.head_),
      blocks_(o.blocks_),
      final_norm_(o.final_norm_),
      kinds_(o.kinds_),
      weights_(o.weights_),
      low_(o.low_),
      sinusoids_(o.sinusoids_),
      matmuls_(o.dtype_),
      side_stream_matmuls_(o.dtype_) {}

template <class Body>
void DeviceDecoder::for_each_buffer(int tokens, int targets, Body body) {
  const size_t N = static_cast<size_t>(tokens), M = static_cast<size_t>(targets), D = static_cast<size_t>(width_);
  const size_t inner = static_cast<size_t>(heads_ * head_width_), F = static_cast<size_t>(feed_), low = dtype_bytes();
  const size_t wide = bytes_of(stream_);
  const size_t stride = static_cast<size_t>(stride_), heads = static_cast<size_t>(heads_);
  const size_t qkv = static_cast<size_t>(qkv_width()), hidden = (is_gated(activation_) ? 2 : 1) * F;
  for (BlockKept& kept : kept_) {
    body(kept.stream, N * D * wide);
    body(kept.middle, N * D * wide);
    body(kept.y1, N * D * low);
    body(kept.y2, N * D * low);
    body(kept.qkv, N * qkv * low);
    body(kept.attention_output, N * inner * low);
    body(kept.log_sum, N * heads * 4);
    body(kept.u, N * hidden * low);
    if (activation_ != FeedForward::relu) body(kept.h, N * F * low);
    if (training_) {
      for (DeviceMemory* bits : {&kept.branch1, &kept.branch2}) body(*bits, N * D / 8);
      body(kept.weights, N * heads * 8);
      if (kinds_.scales_queries()) body(kept.d_factors, N * heads * 4);
    }
    for (DeviceMemory* vector : {&kept.inverse1, &kept.inverse2, &kept.mean1, &kept.mean2}) body(*vector, N * 4);
  }
  body(x_, N * D * wide);
  kinds_.for_each_buffer(N, body);
  body(branch_, N * D * low);
  body(attention_output_, M * inner * low);
  body(last_, M * D * wide);
  body(last_mean_, M * 4);
  body(last_inverse_, M * 4);
  body(last_y_, M * D * low);
  const size_t logit_rows = std::min(M, static_cast<size_t>(training_ ? head_rows : most_logits));
  body(logits_, logit_rows * stride * (training_ ? low : 4));
  if (!training_) return;
  if (targets > head_rows && dtype_ == DType::bf16) body(head_sum_, static_cast<size_t>(vocabulary_) * D * 4);
  body(losses_, M * 4);
  size_t order = 0;
  check_cuda(token_order_bytes(tokens, vocabulary_, order), "sorting tokens");
  body(order_, order);
  body(last_branch_, M * D / 8);
  body(d_stream_, N * D * wide);
  body(d_last_stream_, M * D * wide);
  body(d_y_, N * D * low);
  body(d_attention_output_, N * inner * low);
  body(d_chosen_, M * inner * low);
  body(d_last_, M * D * low);
  if (is_gated(activation_)) body(d_gated_, N * F * low);
  if (kv_heads_ < heads_) body(d_heads_, N * 2 * inner * low);
  body(inner_products_, N * heads * 4);
  for (int buffer = 0; buffer < 2; ++buffer) {
    body(d_branch_[buffer], N * D * low);
    body(d_middle_[buffer], N * D * low);
    body(d_hidden_[buffer], N * hidden * low);
    body(d_qkv_[buffer], N * qkv * low);
  }
}

size_t DeviceDecoder::reserve(int tokens, int targets) {
  if (tokens > tokens_ || targets > targets_) {
    tokens = std::max(tokens, std::exchange(tokens_, 0));
    targets = std::max(targets, std::exchange(targets_, 0));
    kept_.resize(training_ ? static_cast<size_t>(layers_) : 1);
    kinds_.make_terms(tokens);
    for_each_buffer(tokens, targets, [](DeviceMemory& buffer, size_t) { buffer = DeviceMemory(); });
    for_each_buffer(tokens, targets, [](DeviceMemory& buffer, size_t bytes) { buffer = DeviceMemory(bytes); });
    tokens_ = tokens;
    targets_ = targets;
    if (training_ && kinds_.scales_queries()) list_scale_gradients();
  }
  size_t taken = 0;
  for_each_buffer(tokens_, targets_, [&](const DeviceMemory& buffer, size_t) { taken += buffer.bytes(); });
  return taken;
}

const void* DeviceDecoder::product_weights(int64_t offset) const {
  if (dtype_ == DType::bf16) return low_->as<char>() + 2 * offset;
  return weights() + offset;
}

void DeviceDecoder::round_weights(cudaStream_t stream) {
  if (low_) rfs::round_weights(weights(), size_, low_->as<void>(), stream);
}

void DeviceDecoder::multiply(const DeviceLinear& map, const void* x, void* y, int rows, cudaStream_t stream) {
  forward_matmuls().forward(x, product_weights(map.weight), product_bias(map.bias), y, rows, map.in, map.out, map.out,
                            false, stream);
}

NormForward DeviceDecoder::norm(const DeviceInput& input, const DeviceNorm& norm) const {
  NormForward a;
  a.rows = input.rows;
  a.dropout = input.dropout;
  a.dtype = dtype_;
  a.stream = stream_;
  a.count = input.rows.tokens;
  a.width = width_;
  a.weight = vector(norm.weight);
  a.bias = vector(norm.bias);
  a.epsilon = epsilon_;
  return a;
}

DeviceAttention DeviceDecoder::attention(const DeviceInput& input, int layer) {
  BlockKept& k = kept(layer);
  DeviceAttention a;
  kinds_.describe(layer, input, a);
  a.dropout = input.dropout;
  a.site = DropoutSites::attention(layer);
  a.dtype = dtype_;
  a.heads = heads_;
  a.kv_heads = kv_heads_;
  a.width = head_width_;
  a.scale = score_scale_;
  a.query_scale = query_scale(layer);
  a.qkv = k.qkv.as<void>();
  a.out = k.attention_output.as<void>();
  a.log_sum = k.log_sum.as<float>();
  a.kept = k.weights.as<uint16_t>();
  return a;
}

Activation DeviceDecoder::activation(const DeviceInput& input, int layer) {
  BlockKept& k = kept(layer);
  Activation a;
  a.rows = input.rows;
  a.dropout = input.dropout;
  a.site = DropoutSites::feed_hidden(layer);
  a.dtype = dtype_;
  a.count = rows_after(input, layer);
  a.select = last(layer) ? input.predict : nullptr;
  a.width = feed_;
  a.kind = activation_;
  a.u = k.u.as<void>();
  a.h = activation_ == FeedForward::relu ? k.u.as<void>() : k.h.as<void>();
  return a;
}

void DeviceDecoder::forward(const DeviceInput& input, cudaStream_t stream) {
  const int tokens = input.rows.tokens, inner = heads_ * head_width_;
  Update none;
  none.flat.weights = weights();
  DeviceRows first = input.rows;
  first.positions += kinds_.of(0).track * input.track_stride;
  embedding_forward({first, input.dropout, DropoutSites::embedding, width_, input.ids, sinusoids_->as<double>()},
                    updating() ? *update_->now : none, embedding_, stream_, x_.as<void>(), stream);
  if (updating()) update_tables(stream);
  kinds_.find_angles(input, stream);
  for (int layer = 0; layer < layers_; ++layer) {
    const DeviceBlock& block = blocks_[static_cast<size_t>(layer)];
    BlockKept& k = kept(layer);
    if (updating()) {
      check_cuda(cudaStreamWaitEvent(stream, *update_->done[static_cast<size_t>(layer)], 0), "waiting for an event");
    }
    NormForward before = norm(input, block.attention_norm);
    before.x = x_.as<void>();
    if (layer > 0) {
      before.x = kept(layer - 1).middle.as<void>();
      before.branch = branch_.as<void>();
      before.branch_site = DropoutSites::feed_branch(layer - 1);
      before.branch_kept = k.branch1.as<uint8_t>();
      before.sum = k.stream.as<void>();
    }
    before.mean = k.mean1.as<float>();
    before.inverse = k.inverse1.as<float>();
    before.y = k.y1.as<void>();
    norm_forward(before, stream);
    multiply(block.qkv, k.y1.as<void>(), k.qkv.as<void>(), tokens, stream);
    const DeviceAttention attend = attention(input, layer);
    chosen_attention_forward(attend, k.flash, stream);

    const int rows = rows_after(input, layer);
    if (last(layer)) {
      const int bytes = inner * static_cast<int>(dtype_bytes());
      gather_rows(k.attention_output_of(attend), input.predict, rows, bytes, attention_output_.as<void>(), stream);
    }
    multiply(block.out, last(layer) ? attention_output_.as<void>() : k.attention_output_of(attend), branch_.as<void>(),
             rows, stream);
    NormForward between = norm(input, block.feed_norm);
    between.count = rows;
    between.select = last(layer) ? input.predict : nullptr;
    between.x = layer > 0 ? k.stream.as<void>() : x_.as<void>();
    between.branch = branch_.as<void>();
    between.branch_site = DropoutSites::attention_branch(layer);
    between.branch_kept = k.branch2.as<uint8_t>();
    between.sum = k.middle.as<void>();
    between.mean = k.mean2.as<float>();
    between.inverse = k.inverse2.as<float>();
    between.y = k.y2.as<void>();
    norm_forward(between, stream);
    const Activation act = activation(input, layer);
    if (fused_gelu(input)) {
      forward_matmuls().forward(k.y2.as<void>(), product_weights(block.feed_in.weight),
                                product_bias(block.feed_in.bias), act.h, rows, width_, feed_, feed_, false, stream,
                                act.u);
    } else {
      multiply(block.feed_in, k.y2.as<void>(), k.u.as<void>(), rows, stream);
      activation_forward(act, stream);
    }
    multiply(block.feed_out, act.h, branch_.as<void>(), rows, stream);
  }
  NormForward after = norm(input, final_norm_);
  after.count = input.targets;
  after.select = input.predict;
  after.x_selected = true;
  after.x = kept(layers_ - 1).middle.as<void>();
  after.branch = branch_.as<void>();
  after.branch_site = DropoutSites::feed_branch(layers_ - 1);
  after.branch_kept = last_branch_.as<uint8_t>();
  after.scale = head_scale_;
  after.output_site = DropoutSites::last;
  after.sum = last_.as<void>();
  after.mean = last_mean_.as<float>();
  after.inverse = last_inverse_.as<float>();
  after.y = last_y_.as<void>();
  norm_forward(after, stream);
  if (updating()) {
    join(side_stream_, stream, new_event());
    update_->now.reset();
  }
}

template <class Body>
void DeviceDecoder::for_each_logits(const DeviceInput& input, cudaStream_t stream, Body body) {
  for (int first = 0; first < input.targets; first += most_logits) {
    const int count = std::min(most_logits, input.targets - first);
    const char* y = last_y_.as<char>() + static_cast<size_t>(first) * static_cast<size_t>(width_) * dtype_bytes();
    matmuls_.forward(y, product_weights(head_), nullptr, logits_.as<void>(), count, width_, stride_, stride_, true,
                     stream);
    body(first, count);
  }
}

void DeviceDecoder::best(const DeviceInput& input, int32_t* best_M, cudaStream_t stream) {
  for_each_logits(input, stream, [&](int first, int count) {
    largest(logits_.as<float>(), count, vocabulary_, stride_, best_M + first, stream);
  });
}

void DeviceDecoder::losses(const DeviceInput& input, float* losses_M, cudaStream_t stream) {
  for_each_logits(input, stream, [&](int first, int count) {
    loss_and_gradient(DType::fp32, logits_.as<void>(), input.labels + first, input.real_targets, count, vocabulary_,
                      stride_, losses_M + first, stream);
  });
}

}  // namespace rfs
