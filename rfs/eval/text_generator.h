#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "rfs/eval/rows.h"
#include "rfs/model/decoder.h"
#include "rfs/model/decoding.h"

namespace rfs {

/// How a text is written on.
struct GenerateOptions : Options {
  Field<int64_t> tokens{this, "tokens", 128, "tokens to write at most",
                        between<int64_t>(1, PositionIndexing::longest_row)};
  Field<std::string> n_in{this, "n_in", "planned",
                          "what n_in is while the text grows: planned (prompt and --tokens), current (tokens so far), "
                          "bucket (those rounded up) or rerotate (tokens so far, kept keys turned)",
                          one_of({"planned", "current", "bucket", "rerotate"})};
  Field<int64_t> bucket{this, "bucket", 64, "n_in bucket: multiples of so many tokens",
                        between<int64_t>(1, int64_t{1} << 40)};
  Field<double> temperature{this, "temperature", 0.0, "0 writes the likeliest token, 1 draws from the model",
                            between(0.0, 1e3)};
  Field<int64_t> top_k{this, "top_k", 0, "draw from the so many likeliest tokens; 0: from all", at_least<int64_t>(0)};
  Field<double> top_p{this, "top_p", 1.0, "draw from the likeliest tokens that make up this much together",
                      between(1e-9, 1.0)};
  Field<int64_t> seed{this, "seed", 1, "seed of the draws", at_least<int64_t>(0)};
};

/// A text that grows by a token at a time, past what a model was trained on. As it grows n_in may grow, and with n_in
/// the positions of all its tokens move. What is done then is the policy:
///
///   planned    n_in is prompt and budget from the beginning: nothing moves, keys and values are kept
///   current    n_in is the tokens so far: where positions move, the whole text is run again
///   bucket     n_in is the tokens so far, rounded up to a multiple: the text is run again at each
///   rerotate   n_in is the tokens so far: kept keys are turned to their new positions, the rest stays as it was
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
  std::vector<float> positions() const;
  void run(const std::vector<float>& positions);

  const Decoder& decoder_;
  const EvalContext& model_;
  std::string policy_;
  int64_t bucket_, planned_;
  uint64_t sample_;
  std::vector<int32_t> tokens_;
  std::vector<float> positions_;
  std::unique_ptr<Decoding> decoding_;
  int64_t passes_ = 0;
};

/// The token to write, given the scores [V] of all: the likeliest, or one drawn by its number and the options' seed.
int32_t choose(const torch::Tensor& logits_V, const GenerateOptions& options, uint64_t number);

}  // namespace rfs
