#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rfs {

/// Where a number comes from: version, commit, compiler, machine, cores, date, command. `more` is added to it.
using Provenance = std::map<std::string, std::string>;
Provenance provenance(const std::string& command, const Provenance& more = {});

/// What training leaves: train.json.
struct TrainRecord {
  int64_t steps = 0;
  int64_t tokens = 0;
  int64_t trained_length = 0;  ///< n_tr, tokens of the longest training sequence
  int64_t parameters = 0;
  double seconds = 0;
  double loss = 0;         ///< mean over the last steps
  int64_t model_step = 0;  ///< the update that model.safetensors is of
  std::optional<double> best_validation =
      {};                 ///< best exact match, or loss, on validation data; nothing where not measured
  int64_t best_step = 0;  ///< the last update that reached it
  Provenance provenance;
};

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

/// One point of a training curve: a line of metrics.jsonl.
struct Metric {
  int64_t step = 0;
  double loss = 0, learning_rate = 0, gradient_norm = 0, tokens_per_second = 0;
  std::optional<double> validation = {};  ///< exact match, or loss, on validation data; nothing where not measured
};

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

/// Throws Error where one of a record's counts is negative or above 2^53, which no run reaches; `where` names the file.
void require_counts(const std::string& where, std::initializer_list<std::pair<const char*, int64_t>> counts);

/// The runs at or below a folder, sorted by path. Throws Error where there is none.
std::vector<Run> find_runs(const std::filesystem::path& folder);

}  // namespace rfs
