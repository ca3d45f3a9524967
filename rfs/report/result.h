#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "rfs/report/panels.h"
#include "rfs/report/plan.h"
#include "rfs/report/series.h"

namespace rfs {

/// What the records below an output folder say of one task and one row of a plan's panels.
struct Result {
  std::string task, row;  ///< row: its title; "" where the plan has one row
  std::vector<std::string> methods;
  std::vector<Series> series;  ///< one a method, named by its label
};

/// Everything the records of `out` give for a plan, whatever was narrowed when they were made. Methods without records
/// are left out. Throws Error for records that cannot be read.
std::vector<Result> read_results(const Plan& plan, const std::filesystem::path& out);

/// What a figure can show by length.
enum class Measure { exact_match, token_accuracy, edit_distance };

/// The plan's figure, with notes on what is shown and what is missing of the whole; no panels where no record has this
/// measure.
PanelFigure result_figure(const Plan& plan, const std::vector<Result>& results, Measure measure);

/// Means by method, and ours beside published numbers, as Markdown.
std::string result_table(const Plan& plan, const std::vector<Result>& results);

/// Of each task a sample that all methods get wrong, the shortest one of a length that was not trained, as Markdown.
std::string error_table(const Plan& plan, const std::vector<Result>& results);

/// What of the plan has no records: "seeds 234054, 146317; scan"; "" where nothing is missing.
std::string missing_text(const Plan& plan, const std::vector<Result>& results);

/// The files that are made of records alone, by name, with their content: figure data and tables. A test makes those of
/// results/ again and compares.
std::vector<std::pair<std::string, std::string>> result_files(const Plan& plan, const std::filesystem::path& out);

/// Writes the plan's folder below `out`: its files, drawn figures, and experiment.toml, which says what it is of.
/// Returns false where there are no records. Throws Error.
bool write_result(const Plan& plan, const std::filesystem::path& out);

/// Writes experiment.toml into the plan's folder below `out`: name, preset and steps.
void write_experiment(const Plan& plan, const std::filesystem::path& out);

}  // namespace rfs
