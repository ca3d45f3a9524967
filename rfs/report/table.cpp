#include "rfs/report/table.h"

#include <algorithm>
#include <utility>

#include "rfs/core/error.h"
#include "rfs/core/format.h"

namespace rfs {

std::string share_text(double share, int decimals) {
  const std::string text = rfs::format("{:.{}f}", share, decimals);
  return text.starts_with('0') ? text.substr(1) : text;
}

std::string share_text(const Series::Mean& mean, int decimals) {
  if (!mean.any) return "-";
  const std::string low = share_text(mean.low, decimals), high = share_text(mean.high, decimals);
  const std::string text = share_text(mean.mean, decimals);
  return low == high ? text : rfs::format("{} ({}-{})", text, low, high);
}

/// A text as a cell of a Markdown table. HTML is escaped, because names and answers can contain anything.
static std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '\n':
        out += ' ';
        break;
      case '|':
        out += "\\|";
        break;
      case '<':
        out += "&lt;";
        break;
      case '&':
        out += "&amp;";
        break;
      default:
        out += c;
    }
  }
  return one_line(out);
}

std::string cell_text(const std::string& cell) {
  static const std::vector<std::pair<std::string, char>> escapes = {{"\\|", '|'}, {"&lt;", '<'}, {"&amp;", '&'}};
  std::string text;
  for (size_t at = 0; at < cell.size();) {
    const auto escape = std::find_if(escapes.begin(), escapes.end(), [&](const auto& one) {
      return cell.compare(at, one.first.size(), one.first) == 0;
    });
    text += escape == escapes.end() ? cell[at] : escape->second;
    at += escape == escapes.end() ? 1 : escape->first.size();
  }
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
          i < left ? rfs::format(" {:<{}} |", rows[r][i], widths[i]) : rfs::format(" {:>{}} |", rows[r][i], widths[i]);
    }
    text += '\n';
    if (r > 0) continue;
    text += '|';
    for (size_t i = 0; i < widths.size(); ++i) {
      text += i < left ? rfs::format(" {:-<{}} |", "", widths[i]) : rfs::format(" {:->{}} |", ":", widths[i]);
    }
    text += '\n';
  }
  return text;
}

std::string summary_table(const std::vector<Series>& series) {
  const auto lengths = [&](bool trained) {
    const Span span = length_span(series, trained);
    return span.any ? rfs::format(" ({}-{})", span.first, span.last) : std::string();
  };
  std::vector<std::vector<std::string>> rows = {
      {"model", "trained lengths" + lengths(true), "untrained lengths" + lengths(false), "seeds", "training"}};
  for (const auto& one : series) {
    double seconds = 0;
    for (const auto& record : one.trains) seconds += record.seconds;
    rows.push_back({one.name, share_text(one.mean(true)), share_text(one.mean(false)),
                    rfs::format("{}", one.runs.size()), rfs::format("{:.0f} s", seconds)});
  }
  return aligned(rows);
}

}  // namespace rfs
