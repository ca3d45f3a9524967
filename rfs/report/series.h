#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "rfs/records/run.h"

namespace rfs {

/// The runs that differ only in their seed: one line of a figure, one row of a table.
struct Series {
  struct Length {
    int64_t length = 0;
    bool trained = false;
    double share = 0;          ///< share of correct answers, mean over seeds
    double low = 0, high = 0;  ///< one seed: 95 % Wilson interval; several: lowest and highest seed
    int64_t samples = 0;       ///< over all seeds
  };
  std::string name;  ///< the settings in which it differs from the other series
  std::vector<Run> runs;
  std::vector<EvalRecord> evals;
  std::vector<TrainRecord> trains;
  std::vector<Length> lengths;
  std::map<std::string, std::string> settings;  ///< "table.key" to TOML value, from the first run

  /// A setting as text, strings without quotes; "" if there is no such key.
  std::string setting(const std::string& key) const;

  /// The mean over trained or untrained lengths and over seeds, with the lowest and highest seed.
  struct Mean {
    double mean = 0, low = 0, high = 0;
    bool any = false;
  };
  Mean mean(bool trained) const;
  /// The same over the lengths from `first` to `last`.
  Mean mean(int64_t first, int64_t last) const;
};

/// The range of lengths that all series were (or were not) trained on.
struct Span {
  int64_t first = 0, last = 0;
  bool any = false;
};
Span length_span(const std::vector<Series>& series, bool trained);

/// Reads the evaluated runs at or below the folders and groups them into series, in order of first appearance. `eval`
/// names an evaluation that every run must have. If it is "", the runs' main evaluation is read and runs without one
/// are skipped. A run with the same settings and seed as an earlier one is skipped as a copy. Throws Error if a folder
/// has no run, none was evaluated, or tasks differ.
/// `resolve` adds settings keys that are newer than a record; without it, settings are read as they are.
std::vector<Series> read_series(const std::vector<std::filesystem::path>& folders, const std::string& eval = "",
                                const std::function<std::string(const std::string&)>& resolve = {});

/// The settings (TOML) in which series can differ, "table.key" to value: without the seed and without logging options.
std::map<std::string, std::string> telling_settings(const std::string& toml, const std::string& name);

/// Renames series by the settings in which they differ from each other.
void name_apart(std::vector<Series>& series);

/// Builds a series from runs and one of their evaluations. Throws Error if a record cannot be read.
Series make_series(const std::string& name, const std::vector<Run>& runs, const std::string& evaluation);

}  // namespace rfs
