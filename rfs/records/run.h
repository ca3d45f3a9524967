#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "rfs/records/eval_record.h"
#include "rfs/records/train_record.h"

namespace rfs {

/// A run: a folder that training and evaluation write and reports read. Every file but the growing metrics.jsonl is
/// written atomically.
///
///   settings.toml  every resolved setting        train.json  present once training is done
///   metrics.jsonl  loss by step                  eval.json   present once evaluation is done
///   eval-NAME.json  further evaluations, under other settings
///   checkpoint.safetensors, best.safetensors, model.safetensors  (written by train/)
class Run {
 public:
  explicit Run(std::filesystem::path folder) : folder_(std::move(folder)) {}

  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path file(const std::string& name) const { return folder_ / name; }
  std::string name() const;  ///< the folder's own name, for showing: on one line

  bool exists() const;   ///< settings.toml is there
  bool trained() const;  ///< train.json is there

  /// The file of an evaluation: eval.json for "", which is the run's own. Throws Error where the name is not made of
  /// letters, digits, '_' and '-'.
  std::filesystem::path eval_file(const std::string& name = "") const;
  bool evaluated(const std::string& name = "") const;  ///< its file is there
  std::vector<std::string> evaluations() const;        ///< names of those that are there, sorted; "" is the run's own

  std::string settings() const;
  void write(const TrainRecord& record) const;
  void write(const EvalRecord& record, const std::string& name = "") const;
  void add(const Metric& metric) const;
  /// Drops what metrics.jsonl says of later steps: a resumed run writes them again.
  void keep_metrics(int64_t steps) const;

  TrainRecord train_record() const;
  EvalRecord eval_record(const std::string& name = "") const;
  std::vector<Metric> metrics() const;

 private:
  std::filesystem::path folder_;
};

/// The runs at or below a folder, sorted by path. Throws Error where there is none.
std::vector<Run> find_runs(const std::filesystem::path& folder);

}  // namespace rfs
