#pragma once

#include "rfs/core/choices.h"
#include "rfs/core/options.h"

namespace rfs {

/// Which weights a run keeps: those of the last update, or of the best validation.
enum class KeptWeights { last, best };
constexpr auto enum_names(KeptWeights) {
  return std::array<std::string_view, 2>{"last", "best"};
}

/// What computes a training step on a GPU. `engine` is the fastest and supports the most common models. `fused` runs
/// any model on the project's kernels. `reference` is LibTorch in float32.
enum class Tier { automatic, engine, fused, reference };
constexpr auto enum_names(Tier) {
  return std::array<std::string_view, 4>{"auto", "engine", "fused", "reference"};
}

/// Type of the residual stream in the engine.
enum class ResidualType { float32, bf16 };
constexpr auto enum_names(ResidualType) {
  return std::array<std::string_view, 2>{"float32", "bf16"};
}

/// Training settings. The defaults are the paper's values for the length-generalization tasks.
struct TrainOptions : Options {
  /// Reads the table and checks rules across fields: the warm-up must end before the run, `best` needs validation, and
  /// adapters need weights to adapt. Throws Error.
  static TrainOptions read(const Table* table);

  Field<int64_t> seed{this, "seed", 1, "seed of the initial weights, data order, positions and dropout",
                      at_least<int64_t>(0)};
  Field<std::string> from{this, "from", "",
                          "run, or folder of transformers, whose weights training starts from; empty: random weights"};
  Field<int64_t> lora{this, "lora", 0,
                      "rank of low-rank adapters (LoRA) of all matrices in the blocks, which are then all that is "
                      "trained; 0 to train all weights",
                      at_least<int64_t>(0)};
  Field<double> lora_alpha{this, "lora_alpha", 16.0, "LoRA's alpha: adapters are scaled by alpha / rank",
                           above<double>(0.0)};
  Field<int64_t> steps{this, "steps", 40'000, "number of updates", at_least<int64_t>(1)};
  Field<int64_t> batch{this, "batch", 64, "sequences per update", between<int64_t>(1, 1 << 20)};
  Field<int64_t> micro_batch{this, "micro_batch", 1 << 20,
                             "sequences per forward and backward pass; a larger batch accumulates gradients",
                             between<int64_t>(1, 1 << 20)};
  Field<bool> recompute{this, "recompute", false,
                        "keep only each block's input for the backward pass, which computes the block again: less "
                        "memory, about a third more time, the same results; the engine does not support it"};
  Field<double> learning_rate{this, "learning_rate", 3e-5, "peak learning rate", above<double>(0.0)};
  Field<int64_t> warmup{this, "warmup", 2'400, "updates until the peak learning rate; fewer than steps",
                        at_least<int64_t>(0)};
  Field<double> weight_decay{this, "weight_decay", 0.05, "weight decay of matrices (norms and biases have none)",
                             at_least<double>(0.0)};
  Field<double> beta1{this, "beta1", 0.9, "AdamW's beta1: decay rate of the mean gradient", between(0.0, 0.999999)};
  Field<double> beta2{this, "beta2", 0.999, "AdamW's beta2: decay rate of the mean squared gradient",
                      between(0.0, 0.9999999)};
  Field<double> epsilon{this, "epsilon", 1e-8, "AdamW's epsilon: avoids division by zero", above<double>(0.0)};
  Field<double> clip{this, "clip", 1.0, "maximum gradient norm; larger gradients are scaled down", above<double>(0.0)};
  Field<int64_t> log_every{this, "log_every", 50, "updates between lines in metrics.jsonl", at_least<int64_t>(1)};
  Field<int64_t> checkpoint_every{this, "checkpoint_every", 2'000, "updates between checkpoints", at_least<int64_t>(1)};
  Field<int64_t> validate_every{this, "validate_every", 2'000,
                                "updates between validations: exact match, or the loss of language models; 0 for never",
                                at_least<int64_t>(0)};
  Field<int64_t> validate_longer{
      this, "validate_longer", 0,
      "samples of each untrained length that a validation also counts, to watch how a model extends; they never choose "
      "its weights",
      at_least<int64_t>(0)};
  Field<KeptWeights> checkpoint{
      this, "checkpoint", KeptWeights::last,
      "keep the weights of the last update, or of the best validation (the later one if tied)"};
  Field<DeviceChoice> device{this, "device", DeviceChoice::automatic,
                             "where to train; auto uses a GPU if there is one"};
  Field<Precision> precision{this, "precision", Precision::automatic,
                             "arithmetic precision; auto is bf16 in the engine and fused tiers, else fp32"};
  Field<Tier> tier{
      this, "tier", Tier::automatic,
      "what computes a step on a GPU; auto is the first of engine, fused and reference that supports the model"};
  Field<ResidualType> residual{this, "residual", ResidualType::float32,
                               "type of the residual stream; bf16 moves less memory and needs the engine"};

 private:
  using Options::read;
};

}  // namespace rfs
