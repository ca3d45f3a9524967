#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "rfs/report/panels.h"
#include "rfs/report/series.h"

namespace rfs {

/// A language model's loss by length of the input: the mean over the places of the second half of the inputs, by their
/// number of tokens.
std::vector<std::pair<int64_t, double>> loss_at_the_end(const EvalRecord& record);

/// Whether these are evaluations of language models. Throws Error where some are and some are not.
bool has_losses(const std::vector<Series>& series);

/// Perplexity (mean loss over seeds) a row a series, a column a length of the input, as aligned Markdown; a table for
/// each number of tokens that models were trained on.
std::string perplexity_table(const std::vector<Series>& series);
/// What table.md holds.
std::string perplexity_file(const std::vector<Series>& series);
/// The same as lines, and by place in the longest inputs.
PanelFigure perplexity_figure(const std::vector<Series>& series);

/// Writes perplexity.{svg,png,pdf,gp,dat}, loss.{svg,png,gp,dat} and table.md into `folder`.
void write_perplexity_report(const std::vector<Series>& series, const std::filesystem::path& folder);

}  // namespace rfs
