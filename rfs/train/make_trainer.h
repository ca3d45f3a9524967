#pragma once

#include <memory>

#include "rfs/model/decoder.h"
#include "rfs/optimizers/optimizer_rule.h"
#include "rfs/positions/tracks.h"
#include "rfs/tasks/examples.h"
#include "rfs/train/options.h"
#include "rfs/train/ranks.h"
#include "rfs/train/trainer.h"

namespace rfs {

/// Where and how a run is trained. The engine takes weights from a decoder on the CPU; the other tiers train the
/// decoder where it is.
struct TrainSetup {
  torch::Device decoder = torch::kCPU;
  Tier tier = Tier::reference;
  std::string note;  ///< why a GPU does not run the engine; empty where it does, or where it was not to
};

/// What `device`, `tier` and `precision` ask for, of `ranks` processes that train together, for data of so
/// many bytes. Throws Error where this build or machine has none.
TrainSetup train_setup(const ModelSpec& model, const TrainOptions& options, int ranks = 1,
                       const OptimizerRule& optimizer = *OptimizerRule::adamw(), size_t data_bytes = 0);

/// The trainer for a decoder made on setup.decoder. The arguments must outlive it.
std::unique_ptr<Trainer> make_trainer(const TrainSetup& setup, Decoder& decoder, const PositionTracks& positions,
                                      const Examples& examples, int64_t trained_length, const TrainOptions& options,
                                      const Ranks& ranks = Ranks::alone(),
                                      std::shared_ptr<const OptimizerRule> optimizer = OptimizerRule::adamw());

}  // namespace rfs
