#pragma once

#include <string>

#include "rfs/model/spec.h"
#include "rfs/tasks/examples.h"
#include "rfs/train/options.h"

namespace rfs {

/// Sizes of the largest forward and backward pass of a run.
struct PassSize {
  double tokens = 0, targets = 0;
  double longest = 0;  ///< tokens of its longest row
};
/// An upper estimate for one of `ranks` processes.
PassSize largest_pass(const Examples& examples, const TrainOptions& options, int ranks = 1);

/// What computes the steps, and what it trains.
struct TrainedModel {
  const ModelSpec& spec;
  Tier tier = Tier::reference;
  bool gpu = false;
  int64_t optimizer_states = 2;  ///< tensors of the size of the weights
};

/// What a run keeps in the memory of its device, in bytes.
struct MemoryEstimate {
  double weights = 0;      ///< with their copies in bf16
  double gradients = 0;    ///< and their sums over several passes
  double optimizer = 0;    ///< its state
  double snapshot = 0;     ///< what a checkpoint is written from while training continues
  double activations = 0;  ///< of the largest pass, forward and backward
  double libraries = 0;    ///< CUDA and its libraries

  double total() const { return weights + gradients + optimizer + snapshot + activations + libraries; }
  std::string text() const;  ///< the parts, such as "weights 4.4 GB, gradients 4.4 GB, ..."
};
MemoryEstimate training_memory(const TrainedModel& model, const TrainOptions& options, const PassSize& pass);

/// Number of weights of a model.
double weight_count(const ModelSpec& spec);

/// Settings with which a run that needs too much fits into `available` bytes, and what it then needs; empty if there
/// are none.
std::string fitting_settings(const TrainedModel& model, const TrainOptions& options, const Examples& examples,
                             int ranks, double available);

}  // namespace rfs
