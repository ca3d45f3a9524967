#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rfs/records/provenance.h"

namespace rfs {

/// What evaluation leaves: eval.json, or eval-NAME.json.
struct EvalRecord {
  struct Decoded {  ///< decoded samples beside their expected answers (rfs/tasks/mistakes.h)
    int64_t samples = 0;
    double token_accuracy = 0, edit_distance = 0;  ///< means over samples
    std::vector<int64_t> first_mistakes;           ///< of wrong samples, by the tenth of the answer it is in
    std::map<std::string, int64_t> mistakes;       ///< wrong samples by kind
  };
  struct Length {
    int64_t length = 0;
    int64_t correct = 0;
    int64_t total = 0;
    bool trained = false;                 ///< the length was in the training data
    std::optional<Decoded> decoded = {};  ///< nothing where none was measured
  };
  struct Answer {  ///< one decoded sample, for showing
    int64_t length = 0;
    std::string prompt, expected, given;
    bool right = false;
  };
  struct Loss {  ///< of a language model: mean over the labels at places begin < place <= end of inputs of `input`
                 ///< tokens
    int64_t input = 0, begin = 0, end = 0, targets = 0;
    double loss = 0;
  };
  struct Strip {  ///< positions of one row, for showing
    std::string label;
    std::vector<float> positions;
  };
  std::string settings;  ///< every resolved setting the evaluation ran under, as TOML
  double seconds = 0;
  std::vector<Length> lengths;
  std::vector<Answer> answers;
  std::vector<Strip> strips;
  std::vector<Loss> losses;
  Provenance provenance;

  /// Mean over lengths of the share that is right, over trained or untrained lengths; nothing where there are none.
  std::optional<double> mean(bool trained) const;
};

void write_eval_record(const std::filesystem::path& file, const EvalRecord& record);
/// Throws Error.
EvalRecord read_eval_record(const std::filesystem::path& file);

}  // namespace rfs
