#include "rfs/report/table.h"

#include <fmt/format.h>

#include <algorithm>

namespace rfs {

std::string share_text(double share, int decimals) {
  const std::string text = fmt::format("{:.{}f}", share, decimals);
  return text.starts_with('0') ? text.substr(1) : text;
}

std::string share_text(const Series::Mean& mean, int decimals) {
  if (!mean.any) return "-";
  const std::string low = share_text(mean.low, decimals), high = share_text(mean.high, decimals);
  const std::string text = share_text(mean.mean, decimals);
  return low == high ? text : fmt::format("{} ({}-{})", text, low, high);
}

/// A text as a cell of a Markdown table.
static std::string cell(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  for (size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, 1, '\\');
  return text;
}

std::string aligned(std::vector<std::vector<std::string>> rows, size_t left) {
  for (auto& row : rows) std::transform(row.begin(), row.end(), row.begin(), cell);
  std::vector<size_t> widths(rows[0].size());
  for (const auto& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (size_t r = 0; r < rows.size(); ++r) {
    text += '|';
    for (size_t i = 0; i < widths.size(); ++i) {
      text +=
          i < left ? fmt::format(" {:<{}} |", rows[r][i], widths[i]) : fmt::format(" {:>{}} |", rows[r][i], widths[i]);
    }
    text += '\n';
    if (r > 0) continue;
    text += '|';
    for (size_t i = 0; i < widths.size(); ++i) {
      text += i < left ? fmt::format(" {:-<{}} |", "", widths[i]) : fmt::format(" {:->{}} |", ":", widths[i]);
    }
    text += '\n';
  }
  return text;
}

std::string summary_table(const std::vector<Series>& series) {
  const auto lengths = [&](bool trained) {
    const Span span = length_span(series, trained);
    return span.any ? fmt::format(" ({}-{})", span.first, span.last) : std::string();
  };
  std::vector<std::vector<std::string>> rows = {
      {"model", "trained lengths" + lengths(true), "untrained lengths" + lengths(false), "seeds", "training"}};
  for (const auto& one : series) {
    double seconds = 0;
    for (const auto& record : one.trains) seconds += record.seconds;
    rows.push_back({one.name, share_text(one.mean(true)), share_text(one.mean(false)),
                    fmt::format("{}", one.runs.size()), fmt::format("{:.0f} s", seconds)});
  }
  return aligned(rows);
}

}  // namespace rfs
