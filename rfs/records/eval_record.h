#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rfs/records/provenance.h"

namespace rfs {

/// The result of an evaluation: eval.json or eval-NAME.json.
struct EvalRecord {
  /// Statistics of decoded samples (rfs/tasks/mistakes.h).
  struct Decoded {
    int64_t samples = 0;
    double token_accuracy = 0, edit_distance = 0;  ///< means over samples
    std::vector<int64_t> first_mistakes;           ///< wrong samples by the tenth of the answer with the first mistake
    std::map<std::string, int64_t> mistakes;       ///< wrong samples by kind
  };
  /// Exact match of the samples of one length whose answer stands at one depth of the prompt (Sample::depth).
  struct Depth {
    int64_t depth = 0;  ///< 0, 25, 50, 75 or 100, the nearest one
    int64_t correct = 0;
    int64_t total = 0;
  };
  /// Exact match at one length.
  struct Length {
    int64_t length = 0;
    int64_t correct = 0;
    int64_t total = 0;
    bool trained = false;                 ///< this length occurs in the training data
    std::optional<Decoded> decoded = {};  ///< nothing if not measured
    std::vector<Depth> depths = {};       ///< empty if the task's answers stand in no single place
  };
  /// One decoded sample, for display.
  struct Answer {
    int64_t length = 0;
    std::string prompt, expected, given;
    bool right = false;
  };
  /// The loss of a language model: mean over labels with index in (begin, end], for inputs of `input` tokens.
  struct Loss {
    int64_t input = 0, begin = 0, end = 0, targets = 0;
    double loss = 0;
  };
  /// Positions of one row, for display.
  struct Strip {
    std::string label;
    std::vector<float> positions;
  };
  std::string settings;  ///< all resolved settings of the evaluation, as TOML
  double seconds = 0;
  std::vector<Length> lengths;
  std::vector<Answer> answers;
  std::vector<Strip> strips;
  std::vector<Loss> losses;  ///< of the beginnings of documents
  std::vector<Loss>
      last_losses;  ///< of the same tokens, the last ones of each document, after longer and longer inputs
  Provenance provenance;

  /// Accuracy per length, averaged over the trained or the untrained lengths; nothing if there are none.
  std::optional<double> mean(bool trained) const;
};

/// Writes atomically. Throws Error.
void write_eval_record(const std::filesystem::path& file, const EvalRecord& record);
/// Throws Error.
EvalRecord read_eval_record(const std::filesystem::path& file);

}  // namespace rfs
