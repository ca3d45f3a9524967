// Stubs for builds without CUDA.

#include "rfs/core/error.h"
#include "rfs/train/fused_trainer.h"
#include "rfs/train/gpu_trainer.h"

namespace rfs {

std::unique_ptr<Trainer> make_gpu_trainer(const Decoder&, const PositionTracks&, const Examples&, int64_t,
                                          const TrainOptions&, DType, const Ranks&) {
  throw Error("train.device: this build has no CUDA; set train.device=cpu or rebuild with CUDA");
}

std::unique_ptr<Trainer> make_fused_trainer(Decoder&, const PositionTracks&, const Examples&, int64_t,
                                            const TrainOptions&, DType, std::shared_ptr<const OptimizerRule>,
                                            std::shared_ptr<Adapters>) {
  throw Error("train.tier: this build has no CUDA; set train.tier=auto or rebuild with CUDA");
}

}  // namespace rfs
