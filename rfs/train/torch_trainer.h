#pragma once

#include "rfs/model/decoder.h"
#include "rfs/positions/tracks.h"
#include "rfs/tasks/examples.h"
#include "rfs/train/adapters.h"
#include "rfs/train/memory_estimate.h"
#include "rfs/train/optimizer.h"
#include "rfs/train/options.h"
#include "rfs/train/order.h"
#include "rfs/train/ranks.h"
#include "rfs/train/trainer.h"

namespace rfs {

/// The reference: trains the decoder in place with LibTorch's autograd, in float32 on the decoder's device. Each rank
/// takes its share of a batch's rows. Losses and gradients are summed, so that all ranks make the same update. With
/// adapters, only their parameters are trained; the decoder always has the effective weights.
class TorchTrainer : public Trainer {
 public:
  /// `trained_length` is n_tr, which is at least the length of the longest example.
  TorchTrainer(Decoder& decoder, const PositionTracks& positions, const Examples& examples, int64_t trained_length,
               const TrainOptions& options, const Ranks& ranks = Ranks::alone(),
               std::shared_ptr<const OptimizerRule> optimizer = OptimizerRule::adamw(),
               std::shared_ptr<Adapters> adapters = nullptr);

  int64_t updates() const override { return optimizer_.updates(); }
  std::vector<Step> advance(int64_t count) override;
  int64_t poll_interval() const override { return 1; }
  std::function<TensorFile()> snapshot() override;
  void restore(const TensorFile& state, const std::string& where) override;
  void put_weights(Decoder& decoder, const TensorFile& state, const std::string& where) override;
  const Predictor& predictor() override { return decoder_; }
  Memory memory() const override;
  std::string device_text() const override;

  /// Samples first .. first + count - 1 in training order, and their dropout.
  Batch batch(int64_t first, int64_t count);
  Dropout dropout(int64_t first, int64_t count) const;

 protected:
  Decoder& decoder() const { return decoder_; }
  const TrainOptions& options() const { return options_; }
  Optimizer& optimizer() { return optimizer_; }
  const Optimizer& optimizer() const { return optimizer_; }
  bool adapts() const { return adapters_ != nullptr; }
  /// Turns the decoder's gradient into that of the adapters, if any.
  void collect_gradient() {
    if (adapters_) adapters_->collect_gradient();
  }
  /// A step with the token and target counts of update number `update`.
  Step step_sizes(int64_t update) const;
  /// Makes an update with the current gradient. `step` has the loss.
  void update(Step& step);
  MemoryEstimate estimate(Tier tier) const;
  /// Throws AgreedError if the loss or gradient is not finite. updates() must not count this step yet.
  void require_finite(const Step& step) const;

 private:
  Step step();
  /// Sums the ranks' gradients and losses.
  void sum_over_ranks(Step& step) const;

  Decoder& decoder_;
  PositionTracks positions_;
  const Examples& examples_;
  int64_t trained_length_;
  TrainOptions options_;
  const Ranks& ranks_;
  uint64_t seed_;
  Order order_;
  std::shared_ptr<Adapters> adapters_;  // null if all weights are trained
  Parameters& trained_;                 // what is trained
  Optimizer optimizer_;
};

}  // namespace rfs
