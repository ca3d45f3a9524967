#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rfs/engine/engine.h"
#include "rfs/eval/rows.h"
#include "rfs/model/store.h"
#include "rfs/records/run.h"
#include "rfs/run/settings.h"

namespace rfs {

/// A trained run with its tokenizer, loaded to be scored on texts that do not come from its task.
class TextModel {
 public:
  /// Applies assignments (table.key=value) to the run's settings. Throws Error if the run is not trained, its folder
  /// cannot be written, the tokenizer does not know English text, or it does not have the model's ids.
  TextModel(const Run& run, const std::vector<std::string>& assignments);
  TextModel(const TextModel&) = delete;
  TextModel& operator=(const TextModel&) = delete;

  const RunSettings& settings() const { return settings_; }
  const Decoder& decoder() const { return *model_.decoder; }
  const Tokenizer& tokenizer() const { return *tokenizer_; }
  int64_t trained_length() const { return model_.trained_length; }  ///< n_tr
  EvalContext context() const;                                      ///< refers to this object
  /// Versions of the libraries and the device, for records.
  Provenance environment() const;

 private:
  std::string path_;
  TensorFile file_;
  RunSettings settings_;
  torch::Device device_;
  StoredModel model_;
  std::unique_ptr<Tokenizer> tokenizer_;
  std::unique_ptr<Engine> engine_;  ///< null if the decoder evaluates itself
};

}  // namespace rfs
