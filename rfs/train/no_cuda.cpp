// What a build without CUDA says.

#include "rfs/core/error.h"
#include "rfs/train/gpu_trainer.h"

namespace rfs {

std::unique_ptr<Trainer> make_gpu_trainer(const Decoder&, const PositionIndexing&, const Examples&, int64_t,
                                          const TrainOptions&, DType, const Ranks&) {
  throw Error("train.device: must be cpu or auto in an rfs built without CUDA, got cuda");
}

std::string draw_refusal(const PositionIndexing&, int64_t) {
  return "this build has no CUDA";
}

}  // namespace rfs
