// What a build without CUDA says.

#include "rfs/core/error.h"
#include "rfs/train/fused_trainer.h"
#include "rfs/train/gpu_trainer.h"

namespace rfs {

std::unique_ptr<Trainer> make_gpu_trainer(const Decoder&, const PositionTracks&, const Examples&, int64_t,
                                          const TrainOptions&, DType, const Ranks&) {
  throw Error("train.device: must be cpu or auto in an rfs built without CUDA, got cuda");
}

std::unique_ptr<Trainer> make_fused_trainer(Decoder&, const PositionTracks&, const Examples&, int64_t,
                                            const TrainOptions&, DType, std::shared_ptr<const OptimizerRule>) {
  throw Error("train.tier: must be auto or reference in an rfs built without CUDA, got fused");
}

}  // namespace rfs
