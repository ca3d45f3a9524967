#include "rfs/train/make_trainer.h"

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/engine/engine.h"
#include "rfs/model/device.h"
#include "rfs/train/fused_trainer.h"
#include "rfs/train/gpu_trainer.h"
#include "rfs/train/torch_trainer.h"

namespace rfs {

TrainSetup train_setup(const ModelSpec& model, const TrainOptions& options, int ranks, const OptimizerRule& optimizer,
                       size_t data_bytes) {
  if (options.batch % ranks != 0) {
    throw Error(rfs::format("train.batch: must be a multiple of the number of ranks, got {} for {} ranks",
                            *options.batch, ranks));
  }
  const torch::Device device = choose_device(*options.device, "train.device");
  const Tier asked = *options.tier;
  const auto require_tier = [&](Tier tier, const std::string& refusal) {
    if (asked != tier || refusal.empty()) return;
    throw Error(
        rfs::format("train.tier: {} cannot train this run: {}; set train.tier=auto", enum_name(asked), refusal));
  };
  const bool narrow = *options.residual == ResidualType::bf16;
  const auto refuse_narrow = [&](const std::string& why) {
    if (narrow) throw Error(rfs::format("train.residual: bf16 needs the engine: {}; set train.residual=float32", why));
  };
  if (device.is_cpu()) {
    refuse_narrow("there is no GPU, or train.device is cpu");
    require_tier(Tier::engine, "it needs a GPU");
    require_tier(Tier::fused, "it needs a GPU");
    if (*options.precision == Precision::bf16)
      throw Error("train.precision: must be fp32 or auto on the CPU, got bf16");
    return {device, Tier::reference, ""};
  }
  std::string engine = engine_refusal(model), fused = device_refusal();
  if (engine.empty() && !optimizer.is_adamw()) engine = "its optimizer is not adamw";
  if (engine.empty() && options.lora > 0) engine = "train.lora is on";
  if (engine.empty() && *options.recompute) engine = "train.recompute is on";
  if (engine.empty() && static_cast<double>(data_bytes) > gpu().bytes / 2) {
    engine = "its data needs more than half of the GPU's memory";
  }
  if (fused.empty()) fused = kernel_refusal(model);
  if (fused.empty() && ranks > 1) fused = "the fused tier does not support several ranks";
  require_tier(Tier::engine, engine);
  require_tier(Tier::fused, fused);
  if (narrow && *options.precision == Precision::fp32) refuse_narrow("train.precision is fp32");
  if (engine.empty() && (asked == Tier::automatic || asked == Tier::engine)) {
    if (const auto lacking = group_refusal(); ranks > 1 && !lacking.empty()) {
      throw Error(rfs::format("train.device: several ranks cannot train on GPUs: {}; set train.device=cpu", lacking));
    }
    return {torch::kCPU, Tier::engine, ""};
  }
  refuse_narrow(engine.empty() ? "train.tier is " + enum_name(asked) : engine);
  const std::string note = asked == Tier::automatic ? engine : "";
  if (fused.empty() && asked != Tier::reference) return {device, Tier::fused, note};
  if (*options.precision == Precision::bf16) {
    const std::string why = asked == Tier::reference ? "train.tier is reference" : fused;
    throw Error(rfs::format("train.precision: cannot use bf16: {}; set train.precision=auto", why));
  }
  return {device, Tier::reference, note.empty() || note == fused ? note : note + "; " + fused};
}

std::unique_ptr<Trainer> make_trainer(const TrainSetup& setup, Decoder& decoder, const PositionTracks& positions,
                                      const Examples& examples, int64_t trained_length, const TrainOptions& options,
                                      const Ranks& ranks, std::shared_ptr<const OptimizerRule> optimizer,
                                      std::shared_ptr<Adapters> adapters) {
  decoder.recompute = options.recompute;
  const DType dtype = *options.precision == Precision::fp32 ? DType::fp32 : DType::bf16;
  switch (setup.tier) {
    case Tier::engine:
      return make_gpu_trainer(decoder, positions, examples, trained_length, options, dtype, ranks);
    case Tier::fused:
      return make_fused_trainer(decoder, positions, examples, trained_length, options, dtype, std::move(optimizer),
                                std::move(adapters));
    case Tier::automatic:
    case Tier::reference:
      break;
  }
  return std::make_unique<TorchTrainer>(decoder, positions, examples, trained_length, options, ranks,
                                        std::move(optimizer), std::move(adapters));
}

}  // namespace rfs
