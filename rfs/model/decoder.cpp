// N packed tokens, D width, M targets, V vocabulary, H heads, E dims a head.

#include "rfs/model/decoder.h"

#include <ATen/Parallel.h>

#include <cmath>

#include "rfs/core/random.h"
#include "rfs/model/sites.h"
#include "rfs/ops/norm.h"

namespace rfs {
namespace {

using torch::Tensor;

std::vector<Parameters::Spec> specs(const DecoderOptions& o, int64_t vocabulary) {
  std::vector<Parameters::Spec> specs;
  const bool shift = *o.norm == "layer";
  const auto add_norm = [&](const std::string& name) {
    specs.push_back({name + ".weight", {o.width}});
    if (shift) specs.push_back({name + ".bias", {o.width}});
  };
  const auto add_linear = [&](const std::string& name, int64_t out, int64_t in) {
    specs.push_back({name + ".weight", {out, in}});
    if (o.bias) specs.push_back({name + ".bias", {out}});
  };
  const int64_t inner = o.heads * o.head_width;
  specs.push_back({"embedding.weight", {vocabulary, o.width}});
  for (int64_t layer = 0; layer < o.layers; ++layer) {
    const auto block = "blocks." + std::to_string(layer) + ".";
    add_norm(block + "attention_norm");
    add_linear(block + "attention.qkv", 3 * inner, o.width);
    add_linear(block + "attention.out", o.width, inner);
    add_norm(block + "feed_norm");
    add_linear(block + "feed.in", o.feed_width, o.width);
    add_linear(block + "feed.out", o.width, o.feed_width);
  }
  add_norm("final_norm");
  if (!o.tied) specs.push_back({"head.weight", {vocabulary, o.width}});
  return specs;
}

/// Standard deviation of the first weights of a matrix; q, k and v are three parts of one.
double deviation(const DecoderOptions& o, const std::string& name, int64_t part) {
  const auto power = [](int64_t size) { return 1 / std::sqrt(static_cast<double>(size)); };
  if (*o.initialisation == "gpt2") {
    const bool ends_branch = name.ends_with("attention.out.weight") || name.ends_with("feed.out.weight");
    return ends_branch ? 0.02 * power(2 * o.layers) : 0.02;
  }
  if (name == "embedding.weight") return 1;
  if (name.ends_with("qkv.weight") && part == 0) return power(o.width * o.head_width);
  if (name.ends_with("attention.out.weight")) return power(o.heads * o.head_width);
  if (name.ends_with("feed.out.weight")) return power(o.feed_width);
  return power(o.width);
}

}  // namespace

Decoder::Decoder(const DecoderOptions& options, int64_t vocabulary, std::shared_ptr<const PositionEncoding> encoding,
                 torch::Dtype dtype, torch::Device device)
    : options_(options),
      vocabulary_(vocabulary),
      encoding_(std::move(encoding)),
      frequencies_(encoding_->rotate(options.head_width)),
      slopes_(encoding_->bias(options.heads)),
      parameters_(specs(options, vocabulary), dtype, device) {
  const auto norm = [&](const std::string& name) {
    return Norm{parameters_[name + ".weight"], *options_.norm == "layer" ? parameters_[name + ".bias"] : Tensor()};
  };
  const auto linear = [&](const std::string& name) {
    return Linear{parameters_[name + ".weight"], options_.bias ? parameters_[name + ".bias"] : Tensor()};
  };
  embedding_ = parameters_["embedding.weight"];
  head_ = options_.tied ? embedding_ : parameters_["head.weight"];
  for (int64_t layer = 0; layer < options_.layers; ++layer) {
    const auto block = "blocks." + std::to_string(layer) + ".";
    blocks_.push_back({norm(block + "attention_norm"), linear(block + "attention.qkv"), linear(block + "attention.out"),
                       norm(block + "feed_norm"), linear(block + "feed.in"), linear(block + "feed.out")});
  }
  final_norm_ = norm("final_norm");
}

void Decoder::initialise(uint64_t seed) {
  const torch::NoGradGuard no_gradient;
  const auto& items = parameters_.items();
  at::parallel_for(0, static_cast<int64_t>(items.size()), 1, [&](int64_t begin, int64_t end) {
    const torch::NoGradGuard none_here_either;  // holds for one thread
    for (int64_t item = begin; item < end; ++item) {
      const auto& [name, tensor] = items[static_cast<size_t>(item)];
      if (tensor.dim() == 1) {
        tensor.fill_(name.ends_with("norm.weight") ? 1 : 0);
        continue;
      }
      Stream stream(seed, "initialisation " + name);
      Tensor values = torch::empty(tensor.sizes(), torch::kFloat64);
      double* value = values.data_ptr<double>();
      const int64_t part = name.ends_with("qkv.weight") ? tensor.numel() / 3 : tensor.numel();
      const double first = deviation(options_, name, 0), later = deviation(options_, name, 1);
      for (int64_t i = 0; i < tensor.numel(); ++i) value[i] = stream.normal() * (i < part ? first : later);
      tensor.copy_(values);
    }
  });
}

Tensor Decoder::apply(const Norm& norm, const Tensor& x_ND) const {
  if (!norm.bias.defined()) return rms_norm(x_ND, norm.weight, options_.norm_epsilon, backend);
  return torch::layer_norm(x_ND, {x_ND.size(1)}, norm.weight, norm.bias, options_.norm_epsilon);
}

AttentionPlan Decoder::plan(const Batch& batch, const Dropout& dropout) const {
  AttentionPlan plan;
  plan.offsets = batch.offsets;
  plan.positions_N = batch.positions_N.to(device());
  plan.rotation = rotation(plan.positions_N, frequencies_, embedding_.scalar_type());
  if (!slopes_.empty()) plan.slopes_H = torch::tensor(slopes_, torch::kFloat64).to(embedding_.options());
  plan.heads = options_.heads;
  plan.scale = options_.scale_scores ? 1 / std::sqrt(static_cast<double>(*options_.head_width)) : 1;
  plan.dropout = dropout;
  return plan;
}

Tensor Decoder::hidden(const Batch& batch, const Dropout& dropout) const {
  const AttentionPlan plan = this->plan(batch, dropout);
  return hidden(batch, dropout, [&](const Tensor& qkv_NK, size_t layer) {
    return attention(qkv_NK, plan, DropoutSites::attention(static_cast<int64_t>(layer)), backend);
  });
}

Tensor Decoder::hidden(const Batch& batch, const Dropout& dropout, const Attend& attend) const {
  const auto linear = [](const Linear& map, const Tensor& x) { return torch::linear(x, map.weight, map.bias); };
  const auto dropped = [&](const Tensor& x, uint32_t site) { return drop(x, batch.offsets, dropout, site); };

  Tensor x_ND = torch::embedding(embedding_, batch.tokens_N.to(device()));
  x_ND = encoding_->embed(x_ND, batch.positions_N.to(device()));
  x_ND = dropped(x_ND, DropoutSites::embedding);
  for (size_t layer = 0; layer < blocks_.size(); ++layer) {
    const Block& block = blocks_[layer];
    const auto number = static_cast<int64_t>(layer);
    const Tensor heard = attend(linear(block.qkv, apply(block.attention_norm, x_ND)), layer);
    x_ND = x_ND + dropped(linear(block.out, heard), DropoutSites::attention_branch(number));

    Tensor inner = linear(block.feed_in, apply(block.feed_norm, x_ND));
    inner = *options_.activation == "relu" ? torch::relu_(inner) : torch::gelu(inner, "tanh");
    inner = dropped(inner, DropoutSites::feed_hidden(number));
    x_ND = x_ND + dropped(linear(block.feed_out, inner), DropoutSites::feed_branch(number));
  }
  return dropped(apply(final_norm_, x_ND), DropoutSites::last);
}

Tensor Decoder::logits(const Tensor& hidden_MD) const {
  const double scale = options_.scale_head ? 1 / std::sqrt(static_cast<double>(*options_.width)) : 1;
  return torch::matmul(hidden_MD * scale, head_.t());
}

Tensor Decoder::target_logits(const Batch& batch, const Dropout& dropout) const {
  return logits(hidden(batch, dropout).index_select(0, batch.predict_M.to(device())));
}

Tensor Decoder::loss(const Batch& batch, const Dropout& dropout) const {
  return torch::cross_entropy_loss(target_logits(batch, dropout), batch.labels_M.to(device()));
}

Tensor Decoder::losses(const Batch& batch) const {
  const torch::NoGradGuard no_gradient;
  // Logits of so many targets at once (GPT-2's vocabulary takes 200 kB each), always so many: a product of other sizes
  // may sum in another order, and a loss must not depend on its neighbours.
  constexpr int64_t at_once = 64;
  const int64_t targets = batch.labels_M.size(0), filled = (targets + at_once - 1) / at_once * at_once;
  const auto padded = [&](const Tensor& x_M) {
    return torch::constant_pad_nd(x_M, {0, filled - targets}).to(device());
  };
  const Tensor hidden_MD = hidden(batch).index_select(0, padded(batch.predict_M)), labels_M = padded(batch.labels_M);
  std::vector<Tensor> losses = {torch::zeros(0)};
  for (int64_t first = 0; first < filled; first += at_once) {
    const Tensor part = torch::cross_entropy_loss(logits(hidden_MD.narrow(0, first, at_once)),
                                                  labels_M.narrow(0, first, at_once), {}, at::Reduction::None);
    losses.push_back(part.to(torch::kCPU, torch::kFloat32));
  }
  return torch::cat(losses).narrow(0, 0, targets).contiguous();
}

Tensor Decoder::best(const Batch& batch) const {
  const torch::NoGradGuard no_gradient;
  return target_logits(batch).argmax(1).cpu();
}

}  // namespace rfs
