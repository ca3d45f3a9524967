#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rfs/records/run.h"

namespace rfs {

/// The scores of one document of a benchmark: one line of score-NAME.jsonl.
struct ScoredDocument {
  std::vector<double> log_likelihoods;  ///< one per choice, summed over its tokens
  std::vector<int64_t> tokens;          ///< one count per choice
  std::vector<int64_t> code_points;     ///< one count per choice's text
  int64_t size = 0;                     ///< size in tokens, compared with the context size
  int64_t gold = 0;                     ///< index of the right choice
  bool truncated = false;               ///< a context was too long and its first tokens were cut

  /// The choice with the highest log-likelihood, or with the highest per code point; the first one on ties.
  int64_t chosen() const;
  int64_t chosen_norm() const;  ///< by log-likelihood per code point
};

/// Accuracies over some documents. A standard error is that of the mean, s / sqrt(n), where s uses n - 1. It is absent
/// for fewer than two documents.
struct ScorePart {
  int64_t documents = 0;
  double acc = 0;  ///< 0 without documents
  std::optional<double> acc_stderr = {};
  std::optional<double> acc_norm, acc_norm_stderr = {};  ///< nothing if the benchmark does not report it
};

/// The result of scoring one benchmark: score-NAME.json.
struct ScoreRecord {
  std::string benchmark, title;
  double context_size = 0;     ///< documents of at most this size are in distribution
  bool median = false;         ///< the context size is the median over the file's documents
  int64_t trained_length = 0;  ///< n_tr of the model
  int64_t truncated = 0;       ///< number of truncated documents
  ScorePart all, id, ood;
  std::string file, sha256;  ///< the benchmark's file; older records have no hash
  std::string settings;      ///< all settings it was scored with, as TOML
  double seconds = 0;
  Provenance provenance;
};

/// The median: the middle value, or the mean of the two middle values.
double median(std::vector<int64_t> values);

/// Fills all, id, ood and truncated from documents, by the record's context size.
void summarise(ScoreRecord& record, const std::vector<ScoredDocument>& documents, bool normalised);

/// Writes score-NAME.jsonl, then score-NAME.json.
void write_scores(const Run& run, const ScoreRecord& record, const std::vector<ScoredDocument>& documents);

/// The sorted names of the benchmarks a run has scores for, and one record. Both throw Error.
std::vector<std::string> scored_benchmarks(const Run& run);
ScoreRecord read_scores(const Run& run, const std::string& benchmark);  ///< the record of one benchmark

}  // namespace rfs
