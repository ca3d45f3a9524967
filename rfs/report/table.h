#pragma once

#include <string>
#include <vector>

#include "rfs/report/series.h"

namespace rfs {

/// Mean exact match on trained and untrained lengths as aligned Markdown, one row per series.
std::string summary_table(const std::vector<Series>& series);

/// Rows of equal size as aligned Markdown; the first row is the header, and the first `left` columns are left-aligned.
/// HTML in a cell is escaped.
std::string aligned(std::vector<std::vector<std::string>> rows, size_t left = 1);

/// The original text of a cell made by `aligned`.
std::string cell_text(const std::string& cell);

/// ".51", "1.00"; ".51 (.47-.55)" if several seeds differ; "-" if there is no value.
std::string share_text(const Series::Mean& mean, int decimals = 2);
std::string share_text(double share, int decimals = 2);

}  // namespace rfs
