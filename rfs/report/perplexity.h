#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "rfs/report/panels.h"
#include "rfs/report/series.h"

namespace rfs {

/// A language model's loss by input length: the mean over the second half of the inputs, for each length in tokens.
std::vector<std::pair<int64_t, double>> loss_at_the_end(const EvalRecord& record);

/// True for evaluations of language models. Throws Error if only some of them are.
bool has_losses(const std::vector<Series>& series);

/// Perplexity (from the mean loss over seeds) as aligned Markdown: one row per series, one column per input length.
/// There is one table per training length.
std::string perplexity_table(const std::vector<Series>& series);
/// The content of table.md: this table, and one of the same tokens after longer and longer inputs if all records have
/// it.
std::string perplexity_file(const std::vector<Series>& series);
/// The same numbers as a figure, and perplexity by position in the longest inputs.
PanelFigure perplexity_figure(const std::vector<Series>& series);

/// Writes perplexity.{svg,png,pdf,gp,dat}, loss.{svg,png,pdf,gp,dat}, table.md and index.html into `folder`.
void write_perplexity_report(const std::vector<Series>& series, const std::filesystem::path& folder);

}  // namespace rfs
