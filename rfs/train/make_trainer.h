#pragma once

#include <memory>

#include "rfs/model/decoder.h"
#include "rfs/positions/indexing.h"
#include "rfs/tasks/examples.h"
#include "rfs/train/options.h"
#include "rfs/train/trainer.h"

namespace rfs {

/// Throws Error where this build or machine has no trainer for `device` and `precision`.
void require_device(const TrainOptions& options);

/// The trainer that `device` and `precision` ask for. The arguments must outlive it. Throws Error as require_device.
std::unique_ptr<Trainer> make_trainer(Decoder& decoder, const PositionIndexing& indexing, const Examples& examples,
                                      int64_t trained_length, const TrainOptions& options);

}  // namespace rfs
