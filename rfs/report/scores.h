#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "rfs/records/scores.h"

namespace rfs {

/// Accuracies of some benchmarks, a row a benchmark, as aligned Markdown: all documents, ID and OOD, with counts.
std::string score_summary(const std::vector<ScoreRecord>& records);

/// The paper's table: methods by benchmarks, in and out of distribution.
struct ScoreTable {
  struct Column {
    std::string benchmark, title;  ///< the title says where a limit (score.limit) left documents out
    double context_size = 0;
    int64_t id = 0, ood = 0;  ///< documents
  };
  struct Cell {
    double value = 0, error = 0;  ///< shares; mean over runs and its standard error by documents (0 where unknown)
    int64_t runs = 0;
  };
  struct Row {
    bool id = true;
    std::string label, colour;
    std::vector<std::optional<Cell>> cells;  ///< one a column
    /// Mean over all columns; nothing where one is missing.
    std::optional<double> average() const;
  };
  bool normalised = false;  ///< acc_norm where a benchmark has it
  std::vector<Column> columns;
  std::vector<Row> rows;  ///< those in distribution first, methods in one order
};

/// Reads the scores of the runs at or below some folders. Runs of the same positions, encoding and model are one
/// method; of its runs a benchmark's column takes those whose trained length is nearest to its context size, since the
/// paper trains a model for each, and their mean where there are several (seeds). Throws Error where there are no
/// scores, or where runs were scored on other documents or context sizes.
ScoreTable read_score_table(const std::vector<std::filesystem::path>& folders, bool normalised);

std::string score_text(const ScoreTable& table);
std::string score_markdown(const ScoreTable& table);
std::string score_latex(const ScoreTable& table);

/// Writes scores.txt, scores.md, scores.tex (acc, and acc_norm where a benchmark has it) and scores.{svg,png,gp,dat}
/// into `folder`. Throws Error.
void write_score_report(const std::vector<std::filesystem::path>& folders, const std::filesystem::path& folder);

}  // namespace rfs
