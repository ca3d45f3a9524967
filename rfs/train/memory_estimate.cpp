// Bytes per token of what each tier keeps between the forward and the backward pass. D width, Q width of all queries, K
// width of queries, keys and values, F hidden width, U width before the activation, H heads, L tokens of the longest
// row.

#include "rfs/train/memory_estimate.h"

#include <algorithm>
#include <cmath>

#include "rfs/core/format.h"
#include "rfs/core/words.h"
#include "rfs/engine/step_memory.h"
#include "rfs/model/parameter_list.h"

namespace rfs {
namespace {

/// Upper estimate of a sum of `count` draws of size(i) from `all` examples: three standard deviations above the mean.
template <class Size>
double large_sum(int64_t all, int64_t count, const Size& size) {
  double sum = 0, squares = 0;
  for (int64_t i = 0; i < all; ++i) {
    const auto value = static_cast<double>(size(i));
    sum += value;
    squares += value * value;
  }
  const auto n = static_cast<double>(all), draws = static_cast<double>(count), mean = sum / n;
  return draws * mean + 3 * std::sqrt(draws * std::max(0.0, squares / n - mean * mean));
}

struct Widths {
  explicit Widths(const ModelSpec& spec)
      : D(static_cast<double>(*spec.options.width)),
        Q(static_cast<double>(spec.qkv().query_width())),
        K(static_cast<double>(spec.qkv().width())),
        F(static_cast<double>(*spec.options.feed_width)),
        U(is_gated(*spec.options.activation) ? 2 * F : F),
        H(static_cast<double>(*spec.options.heads)),
        V(static_cast<double>(spec.vocabulary)),
        layers(static_cast<double>(*spec.options.layers)),
        drops(spec.options.dropout > 0) {}
  double D, Q, K, F, U, H, V, layers;
  bool drops;
};

/// What a pass keeps, in bytes.
struct Kept {
  double blocks = 0;         ///< for the backward pass, in all blocks
  double largest_block = 0;  ///< the part of one block
  double input = 0;          ///< a block's input
  double loss = 0;           ///< after the blocks, up to the start of the backward pass
  double backward = 0;       ///< gradients within one block
  double shared = 0;         ///< score biases that layers share

  /// The peak is at the start of the backward pass or in the last block.
  double peak(bool recompute, double layers) const {
    return shared +
           (recompute ? layers * input + std::max(loss, largest_block + backward) : blocks + std::max(loss, backward));
  }
};

/// Calls `body(kind)` for each layer and adds up the results.
template <class Body>
void add_blocks(const ModelSpec& spec, const Body& body, Kept& kept) {
  for (const size_t number : spec.kind_of_layer) {
    const double block = body(spec.kinds[number]);
    kept.blocks += block;
    kept.largest_block = std::max(kept.largest_block, block);
  }
}

/// Pairs of a token and a key with a score bias, for each head: as tensors of a layer, if each layer has its own.
double bias_tensors(const LayerKind& kind) {
  if (!kind.encoding->has_bias()) return 0;
  return kind.encoding->shared_by_layers() ? 0 : 3;
}

/// LibTorch's autograd, in float32.
Kept reference_kept(const TrainedModel& model, const PassSize& pass) {
  const ModelSpec& spec = model.spec;
  const Widths w(spec);
  const double N = pass.tokens, M = pass.targets, L = pass.longest;
  const FeedForward activation = spec.options.activation;
  // The hidden layer before and after the activation, the factors of a gated one, and dropout's factors.
  const double feed = is_gated(activation) ? w.drops ? 5 : 4 : w.drops ? 3 : activation == FeedForward::relu ? 1 : 2;
  Kept kept;
  add_blocks(
      spec,
      [&](const LayerKind& kind) {
        double block = (w.drops ? 6 : 4) * w.D + w.K + w.Q + feed * w.F + w.H + bias_tensors(kind) * w.H * L / 2;
        if (spec.options.qk_norm) block += (w.Q + w.K) / 2;
        if (kind.attention->scales_queries()) block += w.Q;
        const bool steps = kind.encoding->changes_scores() || kind.attention->has_weights();
        if (model.gpu || steps) block += 4 * w.Q + w.H * L * (1.25 + (w.drops ? 2 : 0) + (steps ? 4 : 0));
        return 4 * N * block;
      },
      kept);
  const double head = 4 * w.V * w.D;  // the gradient of the embedding or head, before it is added
  kept.input = 4 * N * w.D;
  kept.loss = 4 * (N * (w.drops ? 5 : 2) * w.D + M * (2 * w.D + 3 * w.V)) + head;
  kept.backward =
      4 * N * (2 * w.D + 1.5 * std::max(w.K + w.Q, w.U)) + 4 * w.U * w.D + (spec.options.tied ? 2 : 1) * head;
  return kept;
}

/// The kernels with activations of `low` bytes: what the nodes of DeviceOps capture.
Kept fused_kept(const TrainedModel& model, const PassSize& pass, double low) {
  const ModelSpec& spec = model.spec;
  const Widths w(spec);
  const double N = pass.tokens, M = pass.targets, L = pass.longest;
  Kept kept;
  add_blocks(
      spec,
      [&](const LayerKind& kind) {
        double block = 8 * w.D + low * (2 * w.D + w.K + w.Q + w.U + w.F) + (w.drops ? 12 : 4) * w.H + 16;
        block += 4 * bias_tensors(kind) * w.H * L;
        if (spec.options.qk_norm) block += low * w.K + 4 * w.Q;
        return N * block;
      },
      kept);
  kept.input = 4 * N * w.D;
  kept.loss = N * (4 + 2 * low) * w.D + M * low * (w.V + 5 * w.D);
  kept.backward = N * (16 * w.D + low * (2 * w.D + w.U + w.F + w.K + 3 * w.Q));
  const double bias = 4 * N * w.H * L;
  for (const LayerKind& kind : spec.kinds) {
    if (!kind.encoding->has_bias()) continue;
    kept.backward += bias;  // its gradient in one layer
    if (!kind.encoding->shared_by_layers()) continue;
    kept.shared += 4 * bias;  // what bias() keeps, and the sum of gradients
    for (const LearnedTensor& table : kind.encoding->learned(spec.shape(kind))) {
      kept.shared += 4 * N * L * static_cast<double>(table.shape.front());  // the share of each row of the table
    }
  }
  return kept;
}

/// The buffers of the engine (DeviceDecoder::for_each_buffer), which it allocates once, and those of flash attention.
/// `stream`: bytes of an element of the residual stream.
double engine_bytes(const TrainedModel& model, const PassSize& pass, double low, double stream) {
  const Widths w(model.spec);
  const bool gated = is_gated(*model.spec.options.activation),
             relu = model.spec.options.activation == FeedForward::relu;
  const bool grouped = model.spec.qkv().group() > 1;
  const double block = (2 * stream + 0.25) * w.D + low * (2 * w.D + w.K + w.Q + w.U + (relu ? 0 : w.F)) + 16 * w.H + 16;
  const double once = 2 * stream * w.D + low * (2 * w.D + w.Q + (gated ? w.F : 0) + (grouped ? 2 * w.Q : 0)) +
                      2 * low * (2 * w.D + w.U + w.K) + 4 * w.H;
  const double target = 2 * stream * w.D + low * (2 * w.D + 2 * w.Q), M = pass.targets;
  const double logits = low * w.V * std::min<double>(M, head_rows) + (low == 2 && M > head_rows ? 4 * w.V * w.D : 0);
  // An upper bound: on Hopper GPUs the engine uses its own kernels, which need less.
  constexpr double multiprocessors = 132;
  const bool flash = low == 2 && uses_flash(model.spec, static_cast<int64_t>(pass.longest));
  return pass.tokens * (w.layers * block + once) + M * target + logits +
         (flash ? flash_bytes(model.spec, pass.tokens, pass.tokens / pass.longest, multiprocessors) : 0);
}

}  // namespace

PassSize largest_pass(const Examples& examples, const TrainOptions& options, int ranks) {
  const auto tokens = [&](int64_t i) { return static_cast<int64_t>(examples.row(i).size()) - 1; };
  const auto targets = [&](int64_t i) { return tokens(i) + 1 - examples.answer(i); };
  const int64_t rows = std::min(options.batch / ranks, *options.micro_batch);
  const int64_t counted = examples.window() ? 1 : examples.size();  // all windows have the same size
  return {large_sum(counted, rows, tokens), large_sum(counted, rows, targets),
          static_cast<double>(examples.longest() - 1)};
}

double weight_count(const ModelSpec& spec) {
  double count = 0;
  for (const auto& parameter : parameter_list(spec)) {
    double elements = 1;
    for (const int64_t size : parameter.shape) elements *= static_cast<double>(size);
    count += elements;
  }
  return count;
}

std::string MemoryEstimate::text() const {
  std::string text;
  for (const auto& [name, bytes] : {std::pair{"weights", weights},
                                    {"gradients", gradients},
                                    {"optimizer", optimizer},
                                    {"snapshot", snapshot},
                                    {"activations", activations},
                                    {"libraries", libraries}}) {
    if (bytes > 0) text += rfs::format("{}{} {}", text.empty() ? "" : ", ", name, bytes_text(bytes));
  }
  return text;
}

/// Number of weights in the adapters of all blocks, without tensors that are new in the model.
static double adapter_count(const ModelSpec& spec, double rank) {
  const Widths w(spec);
  const double halves = is_gated(*spec.options.activation) ? 2 : 1;
  return w.layers * rank * (3 * w.D + w.K + w.Q + w.D + halves * w.D + w.U + w.F + w.D);
}

MemoryEstimate training_memory(const TrainedModel& model, const TrainOptions& options, const PassSize& pass) {
  const double state = 4 * weight_count(model.spec), low = *options.precision == Precision::fp32 ? 4 : 2;
  const double copies = low == 2 ? 0.5 : 0, states = static_cast<double>(model.optimizer_states);
  const bool several = *options.micro_batch < *options.batch;
  const Widths w(model.spec);
  MemoryEstimate memory;
  // Adapters keep the matrices as they were besides the merged weights, and their gradient comes from the model's.
  const double trained = options.lora > 0 ? 4 * adapter_count(model.spec, static_cast<double>(*options.lora)) : state;
  const double frozen = options.lora > 0 ? state + trained : 0;
  memory.weights = state + frozen;
  memory.gradients = state + (options.lora > 0 ? trained : 0);
  memory.optimizer = states * trained;
  memory.libraries = model.gpu ? 0.8e9 : 0;
  switch (model.tier) {
    case Tier::engine:
      memory.weights = (1 + copies) * state;
      memory.gradients = (low / 4 + (several ? 1 : 0)) * state;
      memory.activations = engine_bytes(model, pass, low, *options.residual == ResidualType::bf16 ? 2 : 4);
      break;
    case Tier::fused:
      memory.weights += copies * state;
      memory.activations = fused_kept(model, pass, low).peak(options.recompute, w.layers);
      break;
    case Tier::automatic:
    case Tier::reference:
      if (!model.gpu) memory.snapshot = (1 + states) * trained;
      memory.activations = reference_kept(model, pass).peak(options.recompute, w.layers);
      break;
  }
  return memory;
}

std::string fitting_settings(const TrainedModel& model, const TrainOptions& options, const Examples& examples,
                             int ranks, double available) {
  const auto needed = [&](bool recompute, int64_t rows) {
    TrainOptions changed = options;
    changed.recompute = recompute;
    changed.micro_batch = rows;
    TrainedModel other = model;
    if (recompute && model.tier == Tier::engine) other.tier = Tier::fused;
    return training_memory(other, changed, largest_pass(examples, changed, ranks)).total();
  };
  const int64_t rows = std::min(options.batch / ranks, *options.micro_batch);
  // With recomputation, the fused tier replaces the engine, unless the settings ask for the engine.
  const bool fused = ranks == 1 && *options.residual == ResidualType::float32 && *options.tier != Tier::engine;
  const bool can_recompute = !options.recompute && (model.tier != Tier::engine || fused);
  if (const double bytes = needed(true, rows); can_recompute && bytes <= available) {
    return rfs::format("train.recompute=true, which needs about {}", bytes_text(bytes));
  }
  for (const bool recompute : {*options.recompute, *options.recompute || can_recompute}) {
    for (int64_t fewer = rows / 2; fewer >= 1; fewer /= 2) {
      const double bytes = needed(recompute, fewer);
      if (bytes > available) continue;
      return rfs::format("train.micro_batch={}{}, which needs about {}", fewer,
                         recompute && !options.recompute ? " and train.recompute=true" : "", bytes_text(bytes));
    }
  }
  return "";
}

}  // namespace rfs
