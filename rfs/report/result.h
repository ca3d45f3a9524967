#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "rfs/report/panels.h"
#include "rfs/report/plan.h"
#include "rfs/report/series.h"

namespace rfs {

/// The results for one task and one row of a plan's panels, read from the records below an output folder.
struct Result {
  std::string task, row;  ///< row: its title; "" if the plan has only one row
  std::vector<std::string> methods;
  std::vector<Series> series;  ///< one per method, named by its label
};

/// The runs that a training may have below `out`: with the preset's seeds first, then any others that exist.
std::vector<Run> seeds_of_training(const Plan& plan, const std::string& task, const std::string& training,
                                   const std::filesystem::path& out);

/// Reads all results for a plan from the records in `out`, regardless of any selection when they were made. Methods
/// without records are skipped. Throws Error if a record cannot be read.
std::vector<Result> read_results(const Plan& plan, const std::filesystem::path& out);

/// The measures that a figure can show by length.
enum class Measure { exact_match, token_accuracy, edit_distance };
/// "exact match"
std::string measure_title(Measure measure);

/// The plan's figure, with notes on what it shows and which parts of the plan are missing; no panels if no record has
/// this measure.
PanelFigure result_figure(const Plan& plan, const std::vector<Result>& results, Measure measure);

/// Means by method, and a comparison with published numbers, as Markdown.
std::string result_table(const Plan& plan, const std::vector<Result>& results);

/// For each task, the shortest sample of an untrained length that all methods get wrong, as Markdown.
std::string error_table(const Plan& plan, const std::vector<Result>& results);

/// The parts of the plan without records: "seeds 234054, 146317; scan"; "" if nothing is missing.
std::string missing_text(const Plan& plan, const std::vector<Result>& results);

/// The files that depend only on records, with their content: figure data and tables. A test generates them for
/// results/ and compares.
std::vector<std::pair<std::string, std::string>> result_files(const Plan& plan, const std::filesystem::path& out);

/// Writes the plan's folder below `out`: its files, its figures, and experiment.toml, which identifies the plan.
/// Returns false if there are no records. Throws Error.
bool write_result(const Plan& plan, const std::filesystem::path& out);

/// Writes experiment.toml into the plan's folder below `out`: name, preset and steps.
void write_experiment(const Plan& plan, const std::filesystem::path& out);

}  // namespace rfs
