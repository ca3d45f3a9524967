#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rfs/eval/generate_options.h"
#include "rfs/eval/rows.h"
#include "rfs/model/decoder.h"
#include "rfs/model/decoding.h"

namespace rfs {

/// Texts that grow one token at a time, also beyond the training length, and may end at different times. As a text
/// grows, n_in may grow, and then the positions of all its tokens change. The policy says what happens then:
///
///   planned    n_in is prompt and budget from the start: nothing changes, keys and values stay cached
///   current    n_in is the tokens so far: if positions change, the whole text is run again
///   bucket     n_in is the tokens so far, rounded up to a multiple: the text is run again whenever n_in grows
///   rerotate   n_in is the tokens so far: cached keys are rotated to their new positions, the rest stays unchanged
///
/// The first three compute exactly what one pass over the whole text gives for their n_in. The last is an
/// approximation. Texts do not affect each other.
class TextGenerator {
 public:
  struct Beginning {
    std::span<const int32_t> tokens;  ///< one token or more
    uint64_t sample = 0;              ///< number of its random stream, for indexings that are random at inference
  };
  /// Throws Error if the policy does not work with the model's encoding.
  TextGenerator(const Decoder& decoder, const EvalContext& model, const GenerateOptions& options,
                std::span<const Beginning> beginnings);
  /// One text.
  TextGenerator(const Decoder& decoder, const EvalContext& model, const GenerateOptions& options,
                std::span<const int32_t> prompt, uint64_t sample = 0);

  /// The texts that are run together, and the logits [texts, V] of their next tokens.
  struct Group {
    std::vector<size_t> texts;
    const torch::Tensor& logits_BV;
  };
  std::vector<Group> groups() const;
  /// Logits [V] of the next token of the only text.
  torch::Tensor logits() const { return groups()[0].logits_BV[0]; }

  using Next = std::pair<size_t, int32_t>;  ///< a text and its next token
  /// Adds a token to each of these texts, which are sorted; all others have ended.
  void add(std::span<const Next> next);
  /// Adds a token to the only text.
  void add(int32_t token);
  /// How often whole texts were run.
  int64_t passes() const { return passes_; }

 private:
  struct Text {
    std::vector<int32_t> tokens;
    uint64_t sample;
    int64_t planned;
    PositionTracks::Rows positions;
  };
  struct Run {
    std::vector<size_t> texts;  ///< the rows with which it started
    std::unique_ptr<Decoding> decoding;
    size_t text(size_t slot) const { return texts[decoding->open()[slot]]; }
  };
  PositionTracks::Rows positions(const Text& text) const;
  /// Gives a text whose last token is new its positions. Returns false if it has to be run again.
  bool update_positions(Text& text, Run& run);
  void start(const std::vector<size_t>& texts);

  const Decoder& decoder_;
  const EvalContext& model_;
  LengthPolicy policy_;
  int64_t bucket_;
  bool by_length_;  ///< n_in also changes the encoding
  std::vector<Text> texts_;
  std::vector<Run> runs_;
  int64_t passes_ = 0;
};

/// Chooses the next token from the logits [V]: the most likely one, or a sample. The sample depends on the seed in the
/// options, the number of the text and that of the token.
int32_t choose(const torch::Tensor& logits_V, const GenerateOptions& options, uint64_t number, uint64_t text = 0);

}  // namespace rfs
