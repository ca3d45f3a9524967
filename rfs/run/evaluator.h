#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rfs/engine/engine.h"
#include "rfs/eval/rows.h"
#include "rfs/model/store.h"
#include "rfs/records/eval_record.h"
#include "rfs/run/data.h"

namespace rfs {

/// A trained model, ready to be tested with some settings.
class Evaluator {
 public:
  /// `path` is the model's file name for errors. The settings must outlive the object. Throws Error if they do not fit
  /// the model.
  Evaluator(const RunSettings& settings, TensorFile file, const std::string& path, DataCache& cache);

  /// Tests one split and adds its results by length and its sample answers to the record. `progress(what, done, all)`
  /// is called as samples finish. It may throw to stop.
  using Progress = std::function<void(const std::string&, int64_t, int64_t)>;
  void test(Split split, const Progress& progress, EvalRecord& record) const;
  /// For a language model: adds the loss by input length.
  bool language() const;
  void measure_loss(const Progress& progress, EvalRecord& record) const;

  /// Positions of a few example rows, for figures.
  std::vector<EvalRecord::Strip> position_strips() const;

  std::string device() const { return device_.str(); }

 private:
  /// The answers that the model gives to some examples.
  std::vector<std::vector<int32_t>> decode(const Examples& examples, const std::vector<size_t>& chosen,
                                           const std::function<void(int64_t, int64_t)>& progress) const;
  /// Ids as text, without the end token.
  std::string text(std::span<const int32_t> ids) const;

  const RunSettings& settings_;
  torch::Device device_;
  StoredModel model_;
  std::shared_ptr<const RunData> shared_data_;
  const RunData& data_;
  PositionTracks positions_;
  std::unique_ptr<Engine> engine_;  ///< null if the decoder evaluates itself
  std::unique_ptr<EvalContext> context_;
};

}  // namespace rfs
