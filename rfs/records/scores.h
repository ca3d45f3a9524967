#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rfs/records/run.h"

namespace rfs {

/// How one document of a benchmark was scored: a line of score-NAME.jsonl.
struct ScoredDocument {
  std::vector<double> log_likelihoods;  ///< of the choices, sums over their tokens
  std::vector<int64_t> tokens;          ///< of the choices
  std::vector<int64_t> code_points;     ///< of the choices' texts
  int64_t size = 0;                     ///< tokens that decide whether it is in distribution
  int64_t gold = 0;                     ///< the right choice
  bool truncated = false;               ///< a context was too long and lost its first tokens

  /// The choice of the highest log-likelihood, or of the highest over its code points; the first of equals.
  int64_t chosen() const;
  int64_t chosen_norm() const;
};

/// Accuracies of some documents; a standard error is that of a mean, s / sqrt(n) with n - 1 in s. Fewer than two
/// documents have none.
struct ScorePart {
  int64_t documents = 0;
  double acc = 0;  ///< 0 without documents
  std::optional<double> acc_stderr = {};
  std::optional<double> acc_norm, acc_norm_stderr = {};  ///< nothing where it is none of the benchmark's metrics
};

/// What scoring one benchmark leaves: score-NAME.json.
struct ScoreRecord {
  std::string benchmark, title;
  double context_size = 0;     ///< documents of at most so many tokens are in distribution
  bool median = false;         ///< the context size is the median of the file's documents
  int64_t trained_length = 0;  ///< n_tr of the model
  int64_t truncated = 0;       ///< documents
  ScorePart all, id, ood;
  std::string file, sha256;  ///< the benchmark's; no hash in records of before it was kept
  std::string settings;      ///< every setting it was scored under, as TOML
  double seconds = 0;
  Provenance provenance;
};

/// The middle one of some numbers, or the mean of the two in the middle.
double median(std::vector<int64_t> values);

/// Fills all, id, ood and truncated from documents, by the record's context size.
void summarise(ScoreRecord& record, const std::vector<ScoredDocument>& documents, bool normalised);

/// Writes score-NAME.jsonl, then score-NAME.json.
void write_scores(const Run& run, const ScoreRecord& record, const std::vector<ScoredDocument>& documents);

/// Names of the benchmarks that a run has scores of, sorted; a record, and documents. Throw Error.
std::vector<std::string> scored_benchmarks(const Run& run);
ScoreRecord read_scores(const Run& run, const std::string& benchmark);

}  // namespace rfs
