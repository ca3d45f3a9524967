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

/// A text that grows one token at a time, also beyond the training length. As it grows, n_in may grow, and then the
/// positions of all its tokens change. The policy says what happens then:
///
///   planned    n_in is prompt and budget from the start: nothing changes, keys and values stay cached
///   current    n_in is the tokens so far: if positions change, the whole text is run again
///   bucket     n_in is the tokens so far, rounded up to a multiple: the text is run again whenever n_in grows
///   rerotate   n_in is the tokens so far: cached keys are rotated to their new positions, the rest stays unchanged
///
/// The first three compute exactly what one pass over the whole text gives for their n_in. The last is an
/// approximation.
class TextGenerator {
 public:
  /// Throws Error if the policy does not work with the model's encoding. The prompt must not be empty.
  TextGenerator(const Decoder& decoder, const EvalContext& model, const GenerateOptions& options,
                std::span<const int32_t> prompt, uint64_t sample = 0);

  /// Logits [V] of the next token.
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

/// Chooses the next token from the logits [V]: the most likely one, or a sample. The sample depends on the token's
/// number and the seed in the options.
int32_t choose(const torch::Tensor& logits_V, const GenerateOptions& options, uint64_t number);

}  // namespace rfs
