#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "rfs/eval/generate_options.h"
#include "rfs/eval/rows.h"
#include "rfs/model/decoder.h"
#include "rfs/model/decoding.h"

namespace rfs {

/// A text that grows by a token at a time, past what a model was trained on. As it grows n_in may grow, and with n_in
/// the positions of all its tokens move. What is done then is the policy:
///
///   planned    n_in is prompt and budget from the beginning: nothing moves, keys and values are kept
///   current    n_in is the tokens so far: where positions move, the whole text is run again
///   bucket     n_in is the tokens so far, rounded up to a multiple: the text is run again at each
///   rerotate   n_in is the tokens so far: kept keys are rotated to their new positions, the rest stays as it was
///
/// The first three compute what one pass over the whole text gives for their n_in; the last is an approximation.
class TextGenerator {
 public:
  /// Throws Error where the policy cannot do with the model's encoding. The prompt has a token or more.
  TextGenerator(const Decoder& decoder, const EvalContext& model, const GenerateOptions& options,
                std::span<const int32_t> prompt, uint64_t sample = 0);

  /// Scores [V] of what follows.
  torch::Tensor logits() const { return decoding_->logits()[0]; }
  void add(int32_t token);
  /// How often the whole text was run.
  int64_t passes() const { return passes_; }

 private:
  PositionTracks::Rows positions() const;
  void run(const PositionTracks::Rows& positions);

  const Decoder& decoder_;
  const EvalContext& model_;
  LengthPolicy policy_;
  int64_t bucket_, planned_;
  uint64_t sample_;
  std::vector<int32_t> tokens_;
  PositionTracks::Rows positions_;
  std::unique_ptr<Decoding> decoding_;
  int64_t passes_ = 0;
};

/// The token to write, given the scores [V] of all: the likeliest, or one drawn by its number and the options' seed.
int32_t choose(const torch::Tensor& logits_V, const GenerateOptions& options, uint64_t number);

}  // namespace rfs
