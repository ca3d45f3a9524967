// N packed tokens, D width, M targets, V vocabulary, H heads, E dims of a head, F hidden width, R pairs of query and
// key.

#include "rfs/model/decoder.h"

#include <ATen/Parallel.h>

#include <cmath>

#include "rfs/model/decoder_pass.h"
#include "rfs/model/parameter_list.h"
#include "rfs/model/recompute.h"
#include "rfs/model/sites.h"
#include "rfs/ops/norm.h"

namespace rfs {
namespace {

using torch::Tensor;

}  // namespace

Decoder::Decoder(const DecoderOptions& options, int64_t vocabulary, std::shared_ptr<const PositionEncoding> encoding,
                 torch::Dtype dtype, torch::Device device)
    : Decoder(ModelSpec::uniform(options, vocabulary, std::move(encoding)), dtype, device) {}

Decoder::Decoder(ModelSpec spec, torch::Dtype dtype, torch::Device device)
    : spec_(std::move(spec)), parameters_(parameter_list(spec_), dtype, device) {
  const DecoderOptions& o = spec_.options;
  const auto scale = [&](const std::string& name) { return NormWeights{parameters_[name + ".weight"], {}}; };
  const auto norm = [&](const std::string& name) {
    return NormWeights{parameters_[name + ".weight"], *o.norm == Norm::layer ? parameters_[name + ".bias"] : Tensor()};
  };
  const auto linear = [&](const std::string& name, bool bias) {
    return LinearWeights{parameters_[name + ".weight"], bias ? parameters_[name + ".bias"] : Tensor()};
  };
  const auto learned = [&](const std::string& prefix, const std::vector<LearnedTensor>& tensors) {
    std::vector<Tensor> found;
    for (const auto& tensor : tensors) found.push_back(parameters_[prefix + tensor.name]);
    return found;
  };
  embedding_ = parameters_["embedding.weight"];
  head_ = o.tied ? embedding_ : parameters_["head.weight"];
  for (int64_t layer = 0; layer < o.layers; ++layer) {
    const auto block = "blocks." + std::to_string(layer) + ".";
    const LayerKind& kind = spec_.kind(layer);
    const ModelShape shape = spec_.shape(kind);
    blocks_.push_back({.attention_norm = norm(block + "attention_norm"),
                       .query_norm = o.qk_norm ? scale(block + "attention.query_norm") : NormWeights(),
                       .key_norm = o.qk_norm ? scale(block + "attention.key_norm") : NormWeights(),
                       .qkv = linear(block + "attention.qkv", o.bias || o.qkv_bias),
                       .out = linear(block + "attention.out", o.bias),
                       .feed_norm = norm(block + "feed_norm"),
                       .feed_in = linear(block + "feed.in", o.bias),
                       .feed_out = linear(block + "feed.out", o.bias),
                       .encoding = learned(encoding_prefix(kind, layer), kind.encoding->learned(shape)),
                       .attention_rule = learned(rule_prefix(layer), kind.attention->learned(shape))});
  }
  final_norm_ = norm("final_norm");
}

void Decoder::initialise(uint64_t seed) {
  const torch::NoGradGuard no_gradient;
  const auto initial = initial_values(spec_);
  const auto& items = parameters_.items();
  at::parallel_for(0, static_cast<int64_t>(items.size()), 1, [&](int64_t begin, int64_t end) {
    const torch::NoGradGuard in_this_thread;  // the guard holds for one thread
    for (int64_t item = begin; item < end; ++item) {
      const auto& [name, tensor] = items[static_cast<size_t>(item)];
      Stream stream(seed, "initialisation " + name);
      Tensor values = torch::empty(tensor.sizes(), torch::kFloat64);
      const auto& draw = initial.at(name);
      for (int64_t i = 0; i < tensor.numel(); ++i) values.data_ptr<double>()[i] = draw(stream, i);
      tensor.copy_(values);
    }
  });
}

bool Decoder::adds_positions() const {
  const PositionEncoding& encoding = *spec_.kinds.front().encoding;
  return encoding.adds_learned() || !encoding.sinusoids(options().width).empty();
}

bool Decoder::can_rerotate() const {
  const auto by_length = [](const LayerKind& kind) { return kind.encoding->rotates_by_length(); };
  return !adds_positions() && std::none_of(spec_.kinds.begin(), spec_.kinds.end(), by_length);
}

Rotation Decoder::batch_rotation(const LayerKind& kind, const Batch& batch) const {
  const auto frequencies = [&](const std::vector<double>& values) {
    return values.empty() ? Tensor() : torch::tensor(values, torch::kFloat64);
  };
  Tensor frequency = frequencies(kind.encoding->rotate(options().head_width));
  if (!frequency.defined()) return {};
  if (kind.encoding->rotates_by_length()) {
    std::vector<Tensor> rows;
    for (int64_t row = 0; row < batch.rows(); ++row) {
      rows.push_back(frequencies(kind.encoding->rotate_for(batch.input_B[row].item<int64_t>(), options().head_width)));
    }
    frequency = torch::stack(rows).repeat_interleave(batch.offsets.diff(), 0);
  }
  Rotation turned =
      rotation(batch.positions.at(kind.track).to(device()), frequency.to(device()), embedding_.scalar_type());
  if (const double scale = kind.encoding->rotation_scale(); scale != 1) {
    turned = {turned.cos_NP * scale, turned.sin_NP * scale};
  }
  return turned;
}

std::vector<AttentionPlan> Decoder::plans(const Batch& batch, const Dropout& dropout) const {
  std::vector<AttentionPlan> plans;
  for (const LayerKind& kind : spec_.kinds) {
    AttentionPlan plan;
    plan.offsets = batch.offsets;
    plan.positions_N = batch.positions.at(kind.track).to(device());
    plan.rotation = batch_rotation(kind, batch);
    if (const auto slopes = kind.encoding->slopes(options().heads); !slopes.empty()) {
      plan.slopes_H = torch::tensor(slopes, torch::kFloat64).to(embedding_.options());
    }
    plan.layout = spec_.qkv();
    plan.window = kind.window;
    plan.scale = options().scale_scores ? 1 / std::sqrt(static_cast<double>(*options().head_width)) : 1;
    plan.dropout = dropout;
    plans.push_back(std::move(plan));
  }
  return plans;
}

Tensor Decoder::bias(int64_t layer, const Tensor& query_R, const Tensor& key_R) const {
  const PositionEncoding& encoding = *spec_.kind(layer).encoding;
  if (!encoding.has_bias()) return {};
  const auto& learned = blocks_[static_cast<size_t>(layer)].encoding;
  const auto options = embedding_.options().requires_grad(false);
  return encoding.bias(learned, query_R.to(options), key_R.to(options));
}

ScoreSteps Decoder::steps(int64_t layer) const {
  const LayerKind& kind = spec_.kind(layer);
  const BlockWeights& block = blocks_[static_cast<size_t>(layer)];
  ScoreSteps steps;
  if (kind.encoding->changes_scores()) {
    steps.scores = [&](const Tensor& score_Hqk, const Tensor& query_HqE, const Tensor& distance_qk) {
      return kind.encoding->scores(block.encoding, score_Hqk, query_HqE, distance_qk);
    };
  }
  if (kind.attention->has_weights()) {
    steps.weights = [&](const Tensor& score_Hqk, const Tensor& distance_qk) {
      return kind.attention->weights(block.attention_rule, score_Hqk, distance_qk);
    };
  }
  return steps;
}

Tensor Decoder::query_factors(int64_t layer, const Tensor& seen_N, const Tensor& x_ND) const {
  const LayerKind& kind = spec_.kind(layer);
  if (!kind.attention->scales_queries()) return {};
  Tensor keys_N = seen_N.to(embedding_.options().requires_grad(false));
  if (kind.window > 0) keys_N = keys_N.clamp_max(static_cast<double>(kind.window));
  return kind.attention->query_scale(blocks_[static_cast<size_t>(layer)].attention_rule, keys_N, x_ND);
}

Tensor Decoder::prepared(const Pass& pass, const Tensor& qkv_NK, const Tensor& x_ND, int64_t layer) const {
  const BlockWeights& block = blocks_[static_cast<size_t>(layer)];
  const Tensor factors_NH = pass.device ? Tensor() : query_factors(layer, pass.batch.seen_N, x_ND);
  if (!options().qk_norm && !factors_NH.defined()) return qkv_NK;
  const QkvLayout layout = spec_.qkv();
  const auto heads = [&](int64_t begin, int64_t count) {
    return qkv_NK.narrow(1, begin, count * layout.head_width).reshape({-1, layout.head_width});
  };
  Tensor q_NHE = heads(0, layout.heads), k_NHE = heads(layout.key_begin(), layout.kv_heads);
  if (options().qk_norm) {
    q_NHE = normed(pass, block.query_norm, q_NHE);
    k_NHE = normed(pass, block.key_norm, k_NHE);
  }
  if (factors_NH.defined()) q_NHE = q_NHE * factors_NH.reshape({-1, 1});
  const int64_t tokens = qkv_NK.size(0);
  return torch::cat(
      {q_NHE.view({tokens, -1}), k_NHE.view({tokens, -1}), qkv_NK.narrow(1, layout.value_begin(), layout.kv_width())},
      1);
}

Tensor Decoder::embedded(const Pass& pass) const {
  const LayerKind& first = spec_.kind(0);
  if (pass.device) {
    return kernels_->embed(pass.device->pass, pass.device->tokens_N, embedding_, pass.device->positions.at(first.track),
                           sinusoids_, DropoutSites::embedding);
  }
  const Tensor x_ND = torch::embedding(embedding_, pass.batch.tokens_N.to(device()));
  const Tensor positions_N = pass.batch.positions.at(first.track).to(device());
  return dropped(pass, first.encoding->embed(x_ND, positions_N, blocks_.front().encoding), DropoutSites::embedding);
}

Tensor Decoder::normed(const Pass& pass, const NormWeights& norm, const Tensor& x_ND) const {
  if (pass.device) return kernels_->norm(x_ND, norm.weight, norm.bias, options().norm_epsilon);
  if (!norm.bias.defined()) return rms_norm(x_ND, norm.weight, options().norm_epsilon, backend);
  return torch::layer_norm(x_ND, {x_ND.size(1)}, norm.weight, norm.bias, options().norm_epsilon);
}

Tensor Decoder::mapped(const Pass& pass, const LinearWeights& map, const Tensor& x) const {
  return pass.device ? kernels_->linear(x, map.weight, map.bias) : torch::linear(x, map.weight, map.bias);
}

Tensor Decoder::dropped(const Pass& pass, const Tensor& x_ND, uint32_t site) const {
  return pass.device ? kernels_->drop(pass.device->pass, x_ND, site)
                     : drop(x_ND, pass.batch.offsets, pass.dropout, site);
}

Tensor Decoder::added(const Pass& pass, const Tensor& x_ND, const Tensor& branch_ND, uint32_t site) const {
  return pass.device ? kernels_->add(pass.device->pass, x_ND, branch_ND, site) : x_ND + dropped(pass, branch_ND, site);
}

Tensor Decoder::activated(const Pass& pass, Tensor inner_NF, uint32_t site) const {
  if (pass.device) return kernels_->activate(pass.device->pass, inner_NF, *options().activation, site);
  const auto half = [&](int64_t part) { return inner_NF.narrow(1, part * options().feed_width, options().feed_width); };
  const auto activation = [&]() -> Tensor {
    switch (*options().activation) {
      case FeedForward::relu:
        return torch::relu_(inner_NF);
      case FeedForward::gelu:
        return torch::gelu(inner_NF, "tanh");
      case FeedForward::swiglu:
        return torch::silu(half(0)) * half(1);
      case FeedForward::geglu:
        return torch::gelu(half(0), "tanh") * half(1);
      case FeedForward::gelu_erf:
        return torch::gelu(inner_NF);
    }
    TORCH_CHECK(false, "decoder: unknown activation");
  };
  return dropped(pass, activation(), site);
}

Tensor Decoder::block(const Pass& pass, const Attention& attention, int64_t layer, const Tensor& x_ND,
                      const Tensor& bias) const {
  const BlockWeights& block = blocks_[static_cast<size_t>(layer)];
  const Tensor normed_ND = normed(pass, block.attention_norm, x_ND);
  const Tensor own_bias = attention.bias && !bias.defined() ? attention.bias(layer) : bias;
  const Tensor qkv_NK = prepared(pass, mapped(pass, block.qkv, normed_ND), normed_ND, layer);
  const Tensor attended = mapped(pass, block.out, attention.attend(qkv_NK, layer, own_bias));
  const Tensor middle_ND = added(pass, x_ND, attended, DropoutSites::attention_branch(layer));

  const Tensor read_ND = options().parallel ? x_ND : middle_ND;
  const Tensor inner_NF = mapped(pass, block.feed_in, normed(pass, block.feed_norm, read_ND));
  const Tensor active_NF = activated(pass, inner_NF, DropoutSites::feed_hidden(layer));
  return added(pass, middle_ND, mapped(pass, block.feed_out, active_NF), DropoutSites::feed_branch(layer));
}

Tensor Decoder::hidden(Pass given, const Attention& attention) const {
  const auto pass = std::make_shared<const Pass>(std::move(given));
  Tensor x_ND = embedded(*pass);
  std::vector<Tensor> shared(spec_.kinds.size());  // biases that all layers of a kind share
  for (int64_t layer = 0; layer < options().layers; ++layer) {
    const size_t number = spec_.kind_of_layer[static_cast<size_t>(layer)];
    if (attention.bias && spec_.kinds[number].encoding->shared_by_layers() && !shared[number].defined()) {
      shared[number] = attention.bias(layer);
    }
    if (recompute) {
      std::vector<Tensor> inputs = {x_ND};
      if (shared[number].defined()) inputs.push_back(shared[number]);
      const auto part = [this, pass, attention, layer](const std::vector<Tensor>& of) {
        return block(*pass, attention, layer, of[0], of.size() > 1 ? of[1] : Tensor());
      };
      x_ND = recomputed(part, inputs);
    } else {
      x_ND = block(*pass, attention, layer, x_ND, shared[number]);
    }
  }
  return dropped(*pass, normed(*pass, final_norm_, x_ND), DropoutSites::last);
}

Tensor Decoder::hidden(const Batch& batch, const Dropout& dropout, const Attention& attention) const {
  return hidden(Pass{batch, dropout}, attention);
}

Decoder::Attention Decoder::attention_of(const Batch& batch, const Dropout& dropout) const {
  const auto attend = [this, plans = plans(batch, dropout)](const Tensor& qkv_NK, int64_t layer,
                                                            const Tensor& bias_HR) {
    const AttentionPlan& plan = plans[spec_.kind_of_layer[static_cast<size_t>(layer)]];
    return rfs::attention(qkv_NK, plan, DropoutSites::attention(layer), backend, bias_HR, steps(layer));
  };
  const auto has_bias = [](const LayerKind& kind) { return kind.encoding->has_bias(); };
  if (std::none_of(spec_.kinds.begin(), spec_.kinds.end(), has_bias)) return {attend};
  return {attend, [this, positions = batch.positions, pairs = CausalPairs(batch.offsets)](int64_t layer) {
            const Tensor& positions_N = positions[spec_.kind(layer).track];
            return bias(layer, positions_N.index_select(0, pairs.query_R), positions_N.index_select(0, pairs.key_R));
          }};
}

Tensor Decoder::hidden(const Batch& batch, const Dropout& dropout) const {
  if (kernels_) {
    const BatchOnDevice on_device = BatchLayout::copy(batch, dropout, device());
    return hidden(on_device, attention_of(on_device));
  }
  return hidden(batch, dropout, attention_of(batch, dropout));
}

double Decoder::head_scale() const {
  return options().scale_head ? 1 / std::sqrt(static_cast<double>(*options().width)) : 1;
}

Tensor Decoder::logits(const Tensor& hidden_MD) const {
  if (kernels_ && hidden_MD.scalar_type() == kernels_->type()) return kernels_->logits(hidden_MD, head_, head_scale());
  return torch::matmul(hidden_MD * head_scale(), head_.t());
}

Tensor Decoder::target_hidden(const Batch& batch, const Dropout& dropout) const {
  return hidden(batch, dropout).index_select(0, batch.predict_M.to(device()));
}

Tensor Decoder::target_logits(const Batch& batch, const Dropout& dropout) const {
  return logits(target_hidden(batch, dropout));
}

Tensor Decoder::loss(const Batch& batch, const Dropout& dropout) const {
  if (kernels_) return loss(BatchLayout::copy(batch, dropout, device()));
  return torch::cross_entropy_loss(target_logits(batch, dropout), batch.labels_M.to(device()));
}

Tensor Decoder::losses(const Batch& batch) const {
  const torch::NoGradGuard no_gradient;
  // Logits take memory (200 kB per target with GPT-2's vocabulary), so they are computed in parts. All parts have the
  // same size: a matmul of another size may sum in another order, and a loss must not depend on its neighbours.
  const int64_t at_once = device().is_cpu() ? 64 : 1024;
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
