#include "rfs/report/scores.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/core/settings.h"
#include "rfs/report/score_figure.h"
#include "rfs/report/series.h"
#include "rfs/report/style.h"
#include "rfs/report/table.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

using Rows = std::vector<std::vector<std::string>>;

/// The paper's table 2: the benchmarks of its columns, and the accuracies in %.
constexpr std::array<std::string_view, 7> paper_columns = {"hellaswag",  "race",       "arc_easy", "arc_challenge",
                                                           "openbookqa", "winogrande", "boolq"};
struct PaperRow {
  bool id;
  const char* label;
  std::array<double, 7> values;
};
constexpr std::array<PaperRow, 4> paper_rows = {{
    {true, "paper, simple extension", {35.82, 26.59, 35.47, 23.39, 21.40, 52.50, 55.74}},
    {true, "paper, RFS", {34.95, 28.52, 36.48, 22.51, 20.96, 52.80, 55.37}},
    {false, "paper, simple extension", {25.24, 27.38, 36.75, 20.70, 28.78, 46.20, 56.25}},
    {false, "paper, RFS", {24.56, 27.19, 36.59, 22.37, 29.15, 50.17, 60.42}},
}};

std::string share(double value) {
  return rfs::format("{:.4f}", value);
}

/// "28", "13.5"
std::string size_text(double size) {
  return rfs::format("{:g}", size);
}

/// "ARC-Easy"; "ARC-Easy (first 100)" if a limit skipped documents.
std::string title_of(const ScoreRecord& record) {
  const auto settings = Settings::from_text(record.settings, "scores of " + record.benchmark);
  const Table* table = settings.find("score");
  const Value* value = table ? table->find("limit") : nullptr;
  const auto* limit = value ? std::get_if<int64_t>(&value->data) : nullptr;
  return limit && *limit > 0 && record.all.documents >= *limit ? rfs::format("{} (first {})", record.title, *limit)
                                                               : record.title;
}

struct Scored {
  std::string identity, key;  ///< the settings that define its method; the method's name in style.h
  std::string folder;
  std::map<std::string, std::string> settings;  ///< that all runs of one cell share
  ScoreRecord record;
};

std::string identity_of(const Settings& settings) {
  std::string text;
  for (const char* name : {"positions", "encoding", "model"}) {
    const Table* table = settings.find(name);
    if (!table) continue;
    for (const auto& [key, value] : table->values()) text += rfs::format("{}.{}={}\n", name, key, value.text());
  }
  return text;
}

std::vector<Scored> read_all(const std::vector<fs::path>& folders) {
  std::vector<Scored> all;
  std::set<fs::path> seen;
  for (const auto& folder : folders) {
    for (const Run& run : find_runs(folder)) {
      if (!seen.insert(fs::weakly_canonical(run.folder())).second) continue;
      for (const auto& benchmark : scored_benchmarks(run)) {
        Scored scored{"", "", run.folder().string(), {}, read_scores(run, benchmark)};
        const std::string name = scored.folder + ", scores of " + benchmark;
        const auto settings = Settings::from_text(scored.record.settings, name);
        scored.settings = telling_settings(scored.record.settings, name);
        std::erase_if(scored.settings, [](const auto& entry) { return entry.first.starts_with("score."); });
        scored.identity = identity_of(settings);
        const auto use = [&](const char* table_name) {
          const Table* table = settings.find(table_name);
          const Value* value = table ? table->find("use") : nullptr;
          const auto* text = value ? std::get_if<std::string>(&value->data) : nullptr;
          return text ? *text : std::string("unknown");
        };
        scored.key = method_key(use("encoding"), use("positions"));
        all.push_back(std::move(scored));
      }
    }
  }
  if (all.empty()) {
    throw Error(rfs::format("{}: no scored runs found here; run: rfs score {} --benchmarks NAME",
                            folders.front().string(), folders.front().string()));
  }
  return all;
}

/// Throws Error unless the runs differ only in their seed: only those are averaged.
void require_same(const Scored& first, const Scored& other) {
  for (const auto& [key, value] : first.settings) {
    const auto it = other.settings.find(key);
    const std::string there = it == other.settings.end() ? "none" : it->second;
    if (there == value) continue;
    throw Error(
        rfs::format("{}: runs of one method and window may differ only in their seed, but {} is {} here and {} in {}; "
                    "report them separately",
                    other.folder, key, there, value, first.folder));
  }
}

/// The runs of one method and benchmark whose trained length is nearest to the context size.
std::vector<const Scored*> nearest(const std::vector<Scored>& all, const std::string& identity,
                                   const std::string& benchmark) {
  std::vector<const Scored*> found;
  const auto distance = [](const Scored* s) {
    return std::abs(static_cast<double>(s->record.trained_length) - s->record.context_size);
  };
  for (const auto& scored : all) {
    if (scored.identity != identity || scored.record.benchmark != benchmark) continue;
    if (!found.empty() && distance(&scored) < distance(found.front())) found.clear();
    if (found.empty() || distance(&scored) == distance(found.front())) found.push_back(&scored);
  }
  for (const Scored* one : found) require_same(*found.front(), *one);
  return found;
}

std::optional<ScoreTable::Cell> cell(const std::vector<const Scored*>& runs, bool id, bool normalised) {
  if (runs.empty()) return std::nullopt;
  ScoreTable::Cell cell;
  double squares = 0;
  for (const Scored* run : runs) {
    const ScorePart& part = id ? run->record.id : run->record.ood;
    if (part.documents == 0) return std::nullopt;
    const bool norm = normalised && part.acc_norm;
    cell.value += norm ? *part.acc_norm : part.acc;
    squares += std::pow((norm ? part.acc_norm_stderr : part.acc_stderr).value_or(0), 2);
  }
  cell.runs = static_cast<int64_t>(runs.size());
  cell.value /= static_cast<double>(cell.runs);
  cell.error = std::sqrt(squares) / static_cast<double>(cell.runs);
  return cell;
}

/// The table as text: header, context sizes, then for ID and OOD the document counts and the methods. The best values
/// are marked with `bold_open` and `bold_close`.
Rows rows_of(const ScoreTable& table, const std::string& bold_open, const std::string& bold_close) {
  Rows rows = {{"", "Task"}, {"", "Context size"}};
  for (const auto& column : table.columns) {
    rows[0].push_back(column.title);
    rows[1].push_back(size_text(column.context_size));
  }
  rows[0].push_back("Avg");
  rows[1].push_back("");
  for (const bool id : {true, false}) {
    rows.push_back({id ? "ID" : "OOD", "Documents"});
    for (const auto& column : table.columns) rows.back().push_back(std::to_string(id ? column.id : column.ood));
    rows.back().push_back("");
    const auto percent = [](double value) { return rfs::format("{:.2f}", 100 * value); };
    const auto error = [&](const ScoreTable::Row& row, size_t i) {
      const double value = i < row.cells.size() && row.cells[i] ? row.cells[i]->error : 0;
      return value > 0 ? rfs::format(" ({:.1f})", 100 * value) : std::string();
    };
    std::vector<double> best(table.columns.size() + 1, 0);
    size_t methods = 0;
    const auto value = [&](const ScoreTable::Row& row, size_t i) -> std::optional<double> {
      if (i == row.cells.size()) return row.average();
      return row.cells[i] ? std::optional(row.cells[i]->value) : std::nullopt;
    };
    for (const auto& row : table.rows) {
      if (row.id != id || row.published) continue;
      ++methods;
      for (size_t i = 0; i < best.size(); ++i) best[i] = std::max(best[i], value(row, i).value_or(0));
    }
    for (const auto& row : table.rows) {
      if (row.id != id) continue;
      rows.push_back({id ? "ID" : "OOD", row.label});
      for (size_t i = 0; i < best.size(); ++i) {
        const auto number = value(row, i);
        const bool marked = number && methods > 1 && !row.published && *number == best[i];
        const std::string text = number ? percent(*number) : "-";
        rows.back().push_back((marked ? bold_open + text + bold_close : text) + error(row, i));
      }
    }
  }
  return rows;
}

std::string caption(const ScoreTable& table) {
  return table.normalised ? "Accuracy in %, standard errors in brackets: acc_norm (by log-likelihood per code point) "
                            "if the benchmark "
                            "reports it, else acc"
                          : "Accuracy in % (acc), standard errors in brackets";
}

}  // namespace

std::string score_summary(const std::vector<ScoreRecord>& records) {
  Rows rows = {{"benchmark", "documents", "acc", "stderr", "acc_norm", "stderr", "context size", "ID", "acc ID", "OOD",
                "acc OOD"}};
  const auto maybe = [](const std::optional<double>& value) { return value ? share(*value) : std::string("-"); };
  const auto of_part = [](const ScorePart& part) { return part.documents > 0 ? share(part.acc) : std::string("-"); };
  for (const auto& r : records) {
    rows.push_back({title_of(r), std::to_string(r.all.documents), share(r.all.acc), maybe(r.all.acc_stderr),
                    maybe(r.all.acc_norm), maybe(r.all.acc_norm_stderr), size_text(r.context_size),
                    std::to_string(r.id.documents), of_part(r.id), std::to_string(r.ood.documents), of_part(r.ood)});
  }
  return aligned(rows);
}

std::optional<double> ScoreTable::Row::average() const {
  double sum = 0;
  for (const auto& one : cells) {
    if (!one) return std::nullopt;
    sum += one->value;
  }
  return sum / static_cast<double>(cells.size());
}

bool any_benchmark_scores(const std::vector<fs::path>& folders) {
  for (const auto& folder : folders) {
    for (const Run& run : find_runs(folder)) {
      if (!scored_benchmarks(run).empty()) return true;
    }
  }
  return false;
}

ScoreTable read_score_table(const std::vector<fs::path>& folders, bool normalised) {
  const auto all = read_all(folders);
  ScoreTable table;
  table.normalised = normalised;
  std::vector<const Scored*> methods;
  for (const auto& scored : all) {
    const auto& r = scored.record;
    const auto column = std::find_if(table.columns.begin(), table.columns.end(),
                                     [&](const auto& c) { return c.benchmark == r.benchmark; });
    if (column == table.columns.end()) {
      table.columns.push_back({r.benchmark, title_of(r), r.context_size, r.id.documents, r.ood.documents});
    } else if (column->context_size != r.context_size || column->id != r.id.documents ||
               column->ood != r.ood.documents) {
      throw Error(
          rfs::format("{}: all scores in a table must be of the same documents, got {} with {} ID and {} OOD at "
                      "context size {:g}, but {} and {} at {:g} before; report them separately",
                      scored.folder, r.title, r.id.documents, r.ood.documents, r.context_size, column->id, column->ood,
                      column->context_size));
    }
    const auto same = [&](const Scored* other) { return other->identity == scored.identity; };
    if (std::none_of(methods.begin(), methods.end(), same)) methods.push_back(&scored);
  }
  // Columns in the paper's order, then other benchmarks; RFS methods last.
  const auto paper_column = [](const std::string& benchmark) {
    return std::find(paper_columns.begin(), paper_columns.end(), benchmark);
  };
  std::stable_sort(table.columns.begin(), table.columns.end(),
                   [&](const auto& a, const auto& b) { return paper_column(a.benchmark) < paper_column(b.benchmark); });
  std::stable_sort(methods.begin(), methods.end(), [](const Scored* a, const Scored* b) {
    return !a->key.ends_with("-rfs") && b->key.ends_with("-rfs");
  });
  for (const bool id : {true, false}) {
    for (size_t m = 0; m < methods.size(); ++m) {
      const MethodStyle style = method_style(methods[m]->key, m);
      const auto alike = std::count_if(methods.begin(), methods.end(),
                                       [&](const Scored* other) { return other->key == methods[m]->key; });
      ScoreTable::Row row{id, style.label, style.colour, false, {}};
      if (alike > 1) row.label += rfs::format(" ({})", Run(methods[m]->folder).name());
      for (const auto& column : table.columns) {
        row.cells.push_back(cell(nearest(all, methods[m]->identity, column.benchmark), id, normalised));
      }
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

void add_published(ScoreTable& table) {
  for (const PaperRow& paper : paper_rows) {
    ScoreTable::Row row{paper.id, paper.label, "", true, {}};
    for (const auto& column : table.columns) {
      const auto at = std::find(paper_columns.begin(), paper_columns.end(), column.benchmark);
      const auto index = static_cast<size_t>(at - paper_columns.begin());
      row.cells.push_back(at == paper_columns.end() ? std::nullopt
                                                    : std::optional(ScoreTable::Cell{paper.values[index] / 100, 0, 0}));
    }
    table.rows.push_back(std::move(row));
  }
}

std::string score_markdown(const ScoreTable& table) {
  return caption(table) + ":\n\n" + aligned(rows_of(table, "**", "**"), 2);
}

std::string score_text(const ScoreTable& table) {
  const Rows rows = rows_of(table, "", "");
  std::vector<size_t> widths(rows[0].size());
  for (const auto& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text = caption(table) + "\n\n";
  for (const auto& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      line += i < 2 ? rfs::format("{:<{}}  ", row[i], widths[i]) : rfs::format("{:>{}}  ", row[i], widths[i]);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string score_latex(const ScoreTable& table) {
  const auto escaped = [](const std::string& text) {
    std::string out;
    for (const char c : text)
      out += c == '_' || c == '%' || c == '&' || c == '#' ? std::string("\\") + c : std::string(1, c);
    return out;
  };
  std::string text = rfs::format("% {}. Needs the package booktabs.\n\\begin{{tabular}}{{ll{}}}\n  \\toprule\n",
                                 caption(table), std::string(table.columns.size() + 1, 'r'));
  std::string before;
  for (const auto& row : rows_of(table, "\\textbf{", "}")) {
    if (row[0] != before) text += "  \\midrule\n";
    text += "  ";
    for (size_t i = 0; i < row.size(); ++i) {
      const bool repeated = i == 0 && row[0] == before;
      text += (i > 0 ? " & " : "") + (repeated ? std::string() : escaped(row[i]));
    }
    text += " \\\\\n";
    before = row[0];
  }
  return text + "  \\bottomrule\n\\end{tabular}\n";
}

void write_score_report(const std::vector<fs::path>& folders, const fs::path& folder, bool published) {
  auto acc = read_score_table(folders, false), norm = read_score_table(folders, true);
  require_writable(folder);
  draw_scores(norm, folder);
  if (published) add_published(acc), add_published(norm);
  bool other = false;
  for (size_t r = 0; r < acc.rows.size(); ++r) {
    for (size_t i = 0; i < acc.columns.size(); ++i) {
      const auto &a = acc.rows[r].cells[i], &b = norm.rows[r].cells[i];
      other = other || (a && b && a->value != b->value);
    }
  }
  const auto both = [&](std::string (*format)(const ScoreTable&)) {
    return format(acc) + (other ? "\n" + format(norm) : std::string());
  };
  write_file(folder / "scores.txt", both(score_text));
  write_file(folder / "scores.md", both(score_markdown));
  write_file(folder / "scores.tex", both(score_latex));
}

}  // namespace rfs
