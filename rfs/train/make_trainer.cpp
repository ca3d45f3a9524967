#include "rfs/train/make_trainer.h"

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/engine/engine.h"
#include "rfs/model/device.h"
#include "rfs/train/gpu_trainer.h"
#include "rfs/train/torch_trainer.h"

namespace rfs {

TrainPlace train_place(const ModelSpec& model, const PositionTracks& positions, const TrainOptions& options, int ranks,
                       const OptimizerRule& optimizer) {
  if (options.batch % ranks != 0) {
    throw Error(rfs::format("train.batch: must be a multiple of the number of ranks, got {} for {} ranks",
                            *options.batch, ranks));
  }
  TrainPlace place{choose_device(*options.device, "train.device"), false, ""};
  if (place.decoder.is_cpu()) {
    if (*options.precision == Precision::bf16)
      throw Error("train.precision: must be fp32 or auto on the CPU, got bf16");
    return place;
  }
  std::string refusal = engine_refusal(model);
  if (refusal.empty() && !optimizer.is_adamw()) refusal = "its optimizer is not adamw";
  if (refusal.empty()) refusal = draw_refusal(positions[0], model.trained_length);
  if (refusal.empty()) {
    if (const auto lacking = group_refusal(); ranks > 1 && !lacking.empty()) {
      throw Error(rfs::format("train.device: must be cpu where several ranks train and {}, got {}", lacking,
                              enum_name(*options.device)));
    }
    return {torch::kCPU, true, ""};
  }
  if (*options.precision == Precision::bf16) {
    throw Error(
        rfs::format("train.precision: must be fp32 or auto where the engine cannot run ({}), got bf16", refusal));
  }
  place.note = refusal;
  return place;
}

std::unique_ptr<Trainer> make_trainer(const TrainPlace& place, Decoder& decoder, const PositionTracks& positions,
                                      const Examples& examples, int64_t trained_length, const TrainOptions& options,
                                      const Ranks& ranks, std::shared_ptr<const OptimizerRule> optimizer) {
  if (!place.engine)
    return std::make_unique<TorchTrainer>(decoder, positions, examples, trained_length, options, ranks,
                                          std::move(optimizer));
  const DType dtype = *options.precision == Precision::fp32 ? DType::fp32 : DType::bf16;
  return make_gpu_trainer(decoder, positions[0], examples, trained_length, options, dtype, ranks);
}

}  // namespace rfs
