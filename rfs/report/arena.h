#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rfs/core/statistics.h"
#include "rfs/report/heat_map.h"
#include "rfs/report/panels.h"
#include "rfs/report/plan.h"

namespace rfs {

/// Exact match of one run on a range of lengths.
struct ArenaScore {
  int64_t correct = 0, total = 0;
  double share = 0;  ///< mean over lengths
};

/// What the arena compares: the mean over untrained lengths of a task's main test, or the longest tested length.
enum class ArenaMeasure { longer, longest };

/// All records of one method on one task.
struct ArenaCell {
  std::string task, method;
  std::map<std::string, ArenaScore> longer, longest;  ///< by seed; a run may lack the second
  std::vector<PanelFigure::Point> curve;              ///< by length, over seeds
  std::pair<int64_t, int64_t> trained, tested;        ///< first and last trained and untrained length of the main test
  int64_t furthest = 0;                               ///< the longest tested length

  const std::map<std::string, ArenaScore>& scores(ArenaMeasure measure) const;
};

/// The records of an arena, with its methods and tasks in the plan's order.
struct Arena {
  std::string baseline;                     ///< the plan's first method
  std::vector<std::string> methods, tasks;  ///< those with records
  std::vector<ArenaCell> cells;

  const ArenaCell* find(const std::string& task, const std::string& method) const;
};

/// Reads the records of a plan of kind `arena` below `out`. Throws Error.
Arena read_arena(const Plan& plan, const std::filesystem::path& out);

/// The mean over seeds with a 95 % interval: Wilson's for one seed; for several Student's, with at least the noise of
/// the samples.
struct ArenaMean {
  double mean = 0;
  Interval interval = {0, 1};
};
std::optional<ArenaMean> arena_mean(const ArenaCell& cell, ArenaMeasure measure);

/// The difference between a method and the baseline on one task, or over all tasks.
struct Difference {
  std::string method;
  double difference = 0;
  double p = 1;              ///< before the correction for many comparisons
  double level = 1;          ///< after Holm's correction
  size_t pairs = 0;          ///< seeds (or seeds and tasks) that both have
  bool seeds_known = false;  ///< the noise of seeds is known; otherwise only that of the test's samples
  bool exceeds_noise() const { return level < 0.05; }
};

/// All methods against the baseline on one task, or over all tasks if `task` is "". Pairs share a task and a seed. The
/// test is Student's, paired. Its variance is the largest of three: that of the method's own pairs; the median of all
/// methods, if at least five have several seeds (on one task); and that of the samples. If neither of the first two is
/// known, the test is that of two binomial shares. Methods without a common pair are left out; p-values are corrected
/// together (Holm).
std::vector<Difference> differences(const Arena& arena, const std::string& task, ArenaMeasure measure);

/// Methods by tasks, with intervals and numbers of seeds, as Markdown.
std::string arena_table(const Plan& plan, const Arena& arena);
/// Which differences from the baseline exceed the noise, as Markdown.
std::string arena_summary(const Plan& plan, const Arena& arena);
HeatMap arena_heat_map(const Plan& plan, const Arena& arena);
/// A figure for each row of the plan's lines that has records, by the name of its files: the row's methods and the
/// baseline, a panel per task.
std::vector<std::pair<std::string, PanelFigure>> arena_curves(const Plan& plan, const Arena& arena);

/// The plan's text files below `out`, all functions of its records; and the drawing of its figures.
std::vector<std::pair<std::string, std::string>> arena_files(const Plan& plan, const std::filesystem::path& out);
void draw_arena(const Plan& plan, const std::filesystem::path& out);

}  // namespace rfs
