#pragma once

#include <memory>

#include "rfs/model/decoder.h"
#include "rfs/ops/device_rows.h"
#include "rfs/positions/indexing.h"
#include "rfs/tasks/examples.h"
#include "rfs/train/options.h"
#include "rfs/train/ranks.h"
#include "rfs/train/trainer.h"

namespace rfs {

/// Training by the engine, all of it on a GPU. The decoder gives the first weights and is not changed. Throws Error
/// where the engine refuses or the GPU has too little memory.
std::unique_ptr<Trainer> make_gpu_trainer(const Decoder& decoder, const PositionIndexing& indexing,
                                          const Examples& examples, int64_t trained_length, const TrainOptions& options,
                                          DType dtype, const Ranks& ranks = Ranks::alone());

/// Why the engine cannot draw these positions for rows of so many tokens; empty where it can.
std::string draw_refusal(const PositionIndexing& indexing, int64_t trained_length);

}  // namespace rfs
