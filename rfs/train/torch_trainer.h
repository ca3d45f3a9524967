#pragma once

#include "rfs/model/decoder.h"
#include "rfs/positions/tracks.h"
#include "rfs/tasks/examples.h"
#include "rfs/train/optimizer.h"
#include "rfs/train/options.h"
#include "rfs/train/order.h"
#include "rfs/train/ranks.h"
#include "rfs/train/trainer.h"

namespace rfs {

/// Trains the decoder in place with LibTorch's autograd, in float32 on the decoder's device: the reference. Of each
/// batch a rank takes its share of rows; losses and gradients are added up, so that all ranks make the same update.
class TorchTrainer : public Trainer {
 public:
  /// `trained_length` is n_tr, at least the longest example.
  TorchTrainer(Decoder& decoder, const PositionTracks& positions, const Examples& examples, int64_t trained_length,
               const TrainOptions& options, const Ranks& ranks = Ranks::alone(),
               std::shared_ptr<const OptimizerRule> optimizer = OptimizerRule::adamw());

  int64_t updates() const override { return optimizer_.updates(); }
  std::vector<Step> advance(int64_t count) override;
  int64_t poll_interval() const override { return 1; }
  std::function<TensorFile()> snapshot() override;
  void restore(const TensorFile& state, const std::string& where) override;
  const Predictor& predictor() override { return decoder_; }
  /// `needed` is within a factor 1.5 of what the program's resident memory grows by; a test measures it.
  Memory memory() const override;
  std::string device_text() const override;

  /// Samples first .. first + count in the order of training, and their dropout.
  Batch batch(int64_t first, int64_t count);
  Dropout dropout(int64_t first, int64_t count) const;

 protected:
  Decoder& decoder() const { return decoder_; }
  const TrainOptions& options() const { return options_; }
  Optimizer& optimizer() { return optimizer_; }
  const Optimizer& optimizer() const { return optimizer_; }
  /// A step that knows the tokens and targets of update number `update`.
  Step step_sizes(int64_t update) const;
  /// Makes an update with the gradient there is. `step` has the loss.
  void update(Step& step);
  /// Throws AgreedError where loss or gradient are not finite; updates() is that of the step before.
  void require_finite(const Step& step) const;

 private:
  Step step();
  /// Adds up what the ranks have of the gradient and of the loss.
  void sum_over_ranks(Step& step) const;

  Decoder& decoder_;
  PositionTracks positions_;
  const Examples& examples_;
  int64_t trained_length_;
  TrainOptions options_;
  const Ranks& ranks_;
  uint64_t seed_;
  Order order_;
  Optimizer optimizer_;
};

}  // namespace rfs
