#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "rfs/records/run.h"

namespace rfs {

/// The runs that differ in nothing but their seed: one line of a figure, one row of a table.
struct Series {
  struct Length {
    int64_t length = 0;
    bool trained = false;
    double share = 0;          ///< mean over seeds of the share that is right
    double low = 0, high = 0;  ///< one seed: Wilson's 95 % interval; several: lowest and highest seed
    int64_t samples = 0;       ///< over all seeds
  };
  std::string name;  ///< the settings that tell this series from the others
  std::vector<Run> runs;
  std::vector<EvalRecord> evals;
  std::vector<TrainRecord> trains;
  std::vector<Length> lengths;
  std::map<std::string, std::string> settings;  ///< "table.key" to TOML spelling, of the first run

  /// A setting as text, strings without quotes; "" where the choice has no such key.
  std::string setting(const std::string& key) const;

  /// Mean over trained or untrained lengths and over seeds, and the lowest and highest seed.
  struct Mean {
    double mean = 0, low = 0, high = 0;
    bool any = false;
  };
  Mean mean(bool trained) const;
  /// The same over the lengths from `first` to `last`.
  Mean mean(int64_t first, int64_t last) const;
};

/// The lengths that every series was (or was not) trained on, first to last.
struct Span {
  int64_t first = 0, last = 0;
  bool any = false;
};
Span length_span(const std::vector<Series>& series, bool trained);

/// Reads the evaluated runs at or below the folders and groups them, in order of first appearance. `eval` names the
/// evaluation, which every run must then have; "" is the run's own, and runs without it are left out; so is a run with
/// the settings and the seed of one before it. Throws Error where a folder holds no run, none was evaluated, or tasks
/// differ.
/// `resolve` gives a record's settings the keys that were added after it was written; without it they are read as they
/// are.
std::vector<Series> read_series(const std::vector<std::filesystem::path>& folders, const std::string& eval = "",
                                const std::function<std::string(const std::string&)>& resolve = {});

/// The settings (TOML) that tell a series from others, "table.key" to value: not the seed, nor how a run was watched.
std::map<std::string, std::string> telling_settings(const std::string& toml, const std::string& name);

/// Names series anew by the settings that tell them from each other.
void name_apart(std::vector<Series>& series);

/// The series of some runs under one of their evaluations. Throws Error where a record cannot be read.
Series make_series(const std::string& name, const std::vector<Run>& runs, const std::string& evaluation);

}  // namespace rfs
