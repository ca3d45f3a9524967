#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "rfs/records/eval_record.h"
#include "rfs/records/train_record.h"

namespace rfs {

/// A run: a folder that training and evaluation write and reports read. Every file is written atomically, except those
/// that grow (*.jsonl).
///
///   settings.toml  every resolved setting        train.json  present once training is done
///   metrics.jsonl  loss by step                  eval.json   present once evaluation is done
///   eval-NAME.json  further evaluations         validation.jsonl, attention.json  (their records say what)
///   checkpoint.safetensors, best.safetensors, model.safetensors  (written by train/)
class Run {
 public:
  explicit Run(std::filesystem::path folder) : folder_(std::move(folder)) {}  ///< need not exist yet

  const std::filesystem::path& folder() const { return folder_; }                       ///< the run's folder
  std::filesystem::path file(const std::string& name) const { return folder_ / name; }  ///< a file in it
  std::string name() const;  ///< the folder's name on one line, for display

  bool exists() const;   ///< settings.toml exists
  bool trained() const;  ///< train.json exists

  /// The file of an evaluation; "" is the run's main one, eval.json. Throws Error if the name has characters other than
  /// letters, digits, '_' and '-'.
  std::filesystem::path eval_file(const std::string& name = "") const;
  bool evaluated(const std::string& name = "") const;  ///< its file exists
  std::vector<std::string> evaluations() const;        ///< sorted names of existing ones; "" is the main one

  std::string settings() const;                 ///< settings.toml; throws Error if it cannot be read
  void write(const TrainRecord& record) const;  ///< writes train.json
  void write(const EvalRecord& record, const std::string& name = "") const;  ///< writes eval_file(name)
  void add(const Metric& metric) const;                                      ///< appends a line to metrics.jsonl
  /// Removes later steps from metrics.jsonl and validation.jsonl; a resumed run writes them again.
  void keep_metrics(int64_t steps) const;

  TrainRecord train_record() const;                            ///< reads train.json; throws Error
  EvalRecord eval_record(const std::string& name = "") const;  ///< reads eval_file(name); throws Error
  std::vector<Metric> metrics() const;                         ///< reads metrics.jsonl; throws Error

 private:
  std::filesystem::path folder_;
};

/// The runs at or below a folder, sorted by path. Throws Error if there are none.
std::vector<Run> find_runs(const std::filesystem::path& folder);

}  // namespace rfs
