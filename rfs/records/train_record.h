#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "rfs/records/provenance.h"

namespace rfs {

/// The result of training: train.json.
struct TrainRecord {
  int64_t steps = 0;
  int64_t tokens = 0;
  int64_t trained_length = 0;  ///< n_tr, tokens in the longest training sequence
  int64_t parameters = 0;
  double seconds = 0;
  double loss = 0;                             ///< mean over the last steps
  int64_t model_step = 0;                      ///< the step of the weights in model.safetensors
  std::optional<double> best_validation = {};  ///< best validation exact match or loss; nothing if not measured
  int64_t best_step = 0;                       ///< the last step that reached it
  Provenance provenance;
};

/// Writes atomically. Throws Error.
void write_train_record(const std::filesystem::path& file, const TrainRecord& record);
/// Throws Error.
TrainRecord read_train_record(const std::filesystem::path& file);

/// One point of a training curve: one line of metrics.jsonl.
struct Metric {
  int64_t step = 0;
  double loss = 0, learning_rate = 0, gradient_norm = 0, tokens_per_second = 0;
  std::optional<double> validation = {};  ///< validation exact match or loss; nothing if not measured
};

/// One line of JSON, without its end.
std::string metric_line(const Metric& metric);
/// Returns nothing if the line is incomplete.
std::optional<Metric> read_metric(std::string_view line);

}  // namespace rfs
