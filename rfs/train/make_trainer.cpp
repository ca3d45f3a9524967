#include "rfs/train/make_trainer.h"

#include "rfs/core/error.h"
#include "rfs/train/torch_trainer.h"

namespace rfs {

void require_device(const TrainOptions& options) {
  if (*options.device == "cuda")
    throw Error("train.device: must be cpu or auto in an rfs built without CUDA, got cuda");
  if (*options.precision == "bf16") throw Error("train.precision: must be fp32 or auto on the CPU, got bf16");
}

std::unique_ptr<Trainer> make_trainer(Decoder& decoder, const PositionIndexing& indexing, const Examples& examples,
                                      int64_t trained_length, const TrainOptions& options) {
  require_device(options);
  return std::make_unique<TorchTrainer>(decoder, indexing, examples, trained_length, options);
}

}  // namespace rfs
