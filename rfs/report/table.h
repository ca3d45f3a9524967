#pragma once

#include <string>
#include <vector>

#include "rfs/report/series.h"

namespace rfs {

/// Mean exact match on trained and untrained lengths, a row a series, as aligned Markdown.
std::string summary_table(const std::vector<Series>& series);

/// Rows of equal size, the first one the head, as aligned Markdown; the first `left` columns are flush left.
/// HTML in a cell is escaped.
std::string aligned(std::vector<std::vector<std::string>> rows, size_t left = 1);

/// The text that `aligned` made this cell of.
std::string cell_text(const std::string& cell);

/// ".51", "1.00"; ".51 (.47-.55)" where several seeds differ; "-" where there is nothing.
std::string share_text(const Series::Mean& mean, int decimals = 2);
std::string share_text(double share, int decimals = 2);

}  // namespace rfs
