#pragma once

#include <memory>

#include "rfs/model/decoder.h"
#include "rfs/ops/device_rows.h"
#include "rfs/positions/tracks.h"
#include "rfs/tasks/examples.h"
#include "rfs/train/options.h"
#include "rfs/train/ranks.h"
#include "rfs/train/trainer.h"

namespace rfs {

/// Trains with the engine, entirely on a GPU. The decoder provides the initial weights and is not changed. Throws Error
/// if the engine refuses the model or the GPU has too little memory.
std::unique_ptr<Trainer> make_gpu_trainer(const Decoder& decoder, const PositionTracks& positions,
                                          const Examples& examples, int64_t trained_length, const TrainOptions& options,
                                          DType dtype, const Ranks& ranks = Ranks::alone());

}  // namespace rfs
