#pragma once

#include <memory>

#include "rfs/model/decoder.h"
#include "rfs/optimizers/optimizer_rule.h"
#include "rfs/positions/tracks.h"
#include "rfs/tasks/examples.h"
#include "rfs/train/adapters.h"
#include "rfs/train/options.h"
#include "rfs/train/ranks.h"
#include "rfs/train/trainer.h"

namespace rfs {

/// Where and how a run is trained. The engine copies the weights of a decoder on the CPU; the `fused` and `reference`
/// tiers train the decoder in place.
struct TrainSetup {
  torch::Device decoder = torch::kCPU;
  Tier tier = Tier::reference;
  std::string note;  ///< why the engine is not used on a GPU; empty if it is used or was not asked for
};

/// Resolves the settings `device`, `tier` and `precision` for a run on `ranks` processes with `data_bytes` bytes of
/// data. Throws Error if this build or machine does not support them.
TrainSetup train_setup(const ModelSpec& model, const TrainOptions& options, int ranks = 1,
                       const OptimizerRule& optimizer = *OptimizerRule::adamw(), size_t data_bytes = 0);

/// The trainer for a decoder on setup.decoder, or for its adapters. The arguments must outlive it.
std::unique_ptr<Trainer> make_trainer(const TrainSetup& setup, Decoder& decoder, const PositionTracks& positions,
                                      const Examples& examples, int64_t trained_length, const TrainOptions& options,
                                      const Ranks& ranks = Ranks::alone(),
                                      std::shared_ptr<const OptimizerRule> optimizer = OptimizerRule::adamw(),
                                      std::shared_ptr<Adapters> adapters = nullptr);

}  // namespace rfs
