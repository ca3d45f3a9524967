#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "rfs/records/scores.h"

namespace rfs {

/// Accuracies of some benchmarks as aligned Markdown, one row per benchmark: all documents, ID and OOD, with counts.
std::string score_summary(const std::vector<ScoreRecord>& records);

/// The paper's table: methods by benchmarks, in distribution and out of distribution.
struct ScoreTable {
  struct Column {
    std::string benchmark, title;  ///< the title says so if score.limit skipped documents
    double context_size = 0;
    int64_t id = 0, ood = 0;  ///< number of documents
  };
  struct Cell {
    double value = 0, error = 0;  ///< as fractions: mean over runs, and standard error over documents (0 if unknown)
    int64_t runs = 0;
  };
  struct Row {
    bool id = true;
    std::string label, colour;
    bool published = false;                  ///< a row of the paper
    std::vector<std::optional<Cell>> cells;  ///< one per column
    /// Mean over all columns; nothing if one is missing.
    std::optional<double> average() const;
  };
  bool normalised = false;  ///< acc_norm if a benchmark reports it
  std::vector<Column> columns;
  std::vector<Row> rows;  ///< ID rows first; the same order of methods in both
};

/// True if a run at or below the folders has scores of a benchmark. Throws Error.
bool any_benchmark_scores(const std::vector<std::filesystem::path>& folders);

/// Reads the scores of the runs at or below some folders. Runs with the same positions, encoding and model form one
/// method. Because the paper trains a separate model for each context size, a benchmark's column takes the runs whose
/// trained length is nearest to its context size. Several such runs (seeds) are averaged. Throws Error if there are no
/// scores, or if runs were scored on different documents or context sizes.
ScoreTable read_score_table(const std::vector<std::filesystem::path>& folders, bool normalised);

/// Adds the rows of the paper's table 2, for the columns that the table has.
void add_published(ScoreTable& table);

std::string score_text(const ScoreTable& table);
std::string score_markdown(const ScoreTable& table);
std::string score_latex(const ScoreTable& table);

/// Writes scores.txt, scores.md, scores.tex (acc, and acc_norm if a benchmark reports it) and scores.{svg,png,gp,dat}
/// into `folder`, with the paper's numbers in the texts if `published`. Throws Error.
void write_score_report(const std::vector<std::filesystem::path>& folders, const std::filesystem::path& folder,
                        bool published);

}  // namespace rfs
