#pragma once

#include "rfs/core/choices.h"
#include "rfs/core/options.h"

namespace rfs {

/// Which weights a run ends with: those of the last update, or of the best validation.
enum class KeptWeights { last, best };
constexpr auto enum_names(KeptWeights) {
  return std::array<std::string_view, 2>{"last", "best"};
}

/// What computes a training step on a GPU. `engine` is the fastest and knows the most common models; `fused` runs any
/// model on the project's kernels; `reference` is LibTorch in float32.
enum class Tier { automatic, engine, fused, reference };
constexpr auto enum_names(Tier) {
  return std::array<std::string_view, 4>{"auto", "engine", "fused", "reference"};
}

/// Training, with the paper's numbers for the length-generalization tasks as defaults.
struct TrainOptions : Options {
  /// Reads and checks what one field alone cannot: the warm-up ends before the run; best needs
  /// validation. Throws Error.
  static TrainOptions read(const Table* table);

  Field<int64_t> seed{this, "seed", 1, "seed of weights, order, positions and dropout", at_least<int64_t>(0)};
  Field<int64_t> steps{this, "steps", 40'000, "updates", at_least<int64_t>(1)};
  Field<int64_t> batch{this, "batch", 64, "sequences in an update", between<int64_t>(1, 1 << 20)};
  Field<int64_t> micro_batch{this, "micro_batch", 1 << 20,
                             "sequences that go through the model at once; gradients of a batch's parts are added up",
                             between<int64_t>(1, 1 << 20)};
  Field<double> learning_rate{this, "learning_rate", 3e-5, "highest learning rate", above<double>(0.0)};
  Field<int64_t> warmup{this, "warmup", 2'400, "updates until the highest learning rate; fewer than steps",
                        at_least<int64_t>(0)};
  Field<double> weight_decay{this, "weight_decay", 0.05, "AdamW's decay of matrices (norms and biases have none)",
                             at_least<double>(0.0)};
  Field<double> beta1{this, "beta1", 0.9, "AdamW's memory of gradients", between(0.0, 0.999999)};
  Field<double> beta2{this, "beta2", 0.999, "AdamW's memory of squared gradients", between(0.0, 0.9999999)};
  Field<double> epsilon{this, "epsilon", 1e-8, "AdamW's term against division by zero", above<double>(0.0)};
  Field<double> clip{this, "clip", 1.0, "largest norm of the gradient", above<double>(0.0)};
  Field<int64_t> log_every{this, "log_every", 50, "updates between lines of metrics.jsonl", at_least<int64_t>(1)};
  Field<int64_t> checkpoint_every{this, "checkpoint_every", 2'000, "updates between checkpoints", at_least<int64_t>(1)};
  Field<int64_t> validate_every{
      this, "validate_every", 2'000,
      "updates between measurements of exact match (language models: loss) on validation data; 0 for never",
      at_least<int64_t>(0)};
  Field<KeptWeights> checkpoint{this, "checkpoint", KeptWeights::last,
                                "the model is of the last update, or of the best validation (the later of equals)"};
  Field<DeviceChoice> device{this, "device", DeviceChoice::automatic,
                             "where to train; auto takes a GPU if there is one"};
  Field<Precision> precision{this, "precision", Precision::automatic,
                             "of the arithmetic; auto is bf16 on the engine and the fused tier, else fp32"};
  Field<Tier> tier{
      this, "tier", Tier::automatic,
      "what computes a step on a GPU; auto is the first of engine, fused and reference that knows the model"};

 private:
  using Options::read;
};

}  // namespace rfs
