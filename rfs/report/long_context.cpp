#include "rfs/report/long_context.h"

#include <functional>
#include <map>
#include <set>

#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/report/depth_map.h"
#include "rfs/report/html.h"
#include "rfs/report/table.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

using Cell = LongRecord::Cell;

/// One row of the map and the tables: a task, a depth and a run.
struct Line {
  std::string name;
  std::map<int64_t, const Cell*> cells;  ///< by length
};

std::set<int64_t> lengths_of(const std::vector<LongScores>& scores) {
  std::set<int64_t> lengths;
  for (const auto& run : scores) {
    for (const auto& record : run.records) {
      for (const auto& cell : record.cells) lengths.insert(cell.length);
    }
  }
  return lengths;
}

/// Ordered by task, then run, then depth, so that runs stand next to each other.
std::vector<Line> lines_of(const std::vector<LongScores>& scores) {
  std::map<std::string, std::vector<Line>> by_task;
  for (const auto& run : scores) {
    for (const auto& record : run.records) {
      std::map<int64_t, Line> by_depth;
      for (const auto& cell : record.cells) by_depth[cell.depth].cells[cell.length] = &cell;
      for (auto& [depth, line] : by_depth) {
        line.name = record.task;
        if (scores.size() > 1) line.name += ", " + run.name;
        if (depth >= 0) line.name += ", " + depth_text(depth);
        by_task[record.task].push_back(std::move(line));
      }
    }
  }
  std::vector<Line> lines;
  for (auto& [task, of_task] : by_task) {
    for (auto& line : of_task) lines.push_back(std::move(line));
  }
  return lines;
}

std::string table_of(const std::vector<LongScores>& scores, const std::function<std::string(const Cell&)>& text) {
  const auto lengths = lengths_of(scores);
  std::vector<std::vector<std::string>> rows = {{"tokens"}};
  for (const int64_t length : lengths) rows.front().push_back(rfs::format("{}", length));
  for (const auto& line : lines_of(scores)) {
    std::vector<std::string> row = {line.name};
    bool any = false;
    for (const int64_t length : lengths) {
      const auto found = line.cells.find(length);
      row.push_back(found == line.cells.end() ? "" : text(*found->second));
      any = any || !row.back().empty();
      if (row.back().empty()) row.back() = "-";
    }
    if (any) rows.push_back(std::move(row));
  }
  return rows.size() > 1 ? aligned(rows) : "";
}

/// The first sample of each length, in the middle of the depths.
std::string answers_of(const LongScores& run) {
  std::string html = rfs::format(
      "<h3>{}</h3><div class=scroll><table class=answers><tr><th>task</th><th>tokens</th><th>score</th>"
      "<th>expected</th><th>given</th></tr>",
      escaped(run.name));
  for (const auto& record : run.records) {
    for (const auto& cell : record.cells) {
      if ((cell.depth >= 0 && cell.depth != 50) || cell.answers.empty()) continue;
      const auto& answer = cell.answers.front();
      html += rfs::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>", escaped(record.task),
                          cell.length, share_text(answer.score), escaped(joined(answer.references, ", ")),
                          escaped(answer.given));
    }
  }
  return html + "</table></div>";
}

std::string provenance_of(const LongScores& run) {
  std::string html = rfs::format("<details><summary>{}</summary>", escaped(run.name));
  for (const auto& record : run.records) {
    html += rfs::format("<h3>{}: {} samples per cell, seed {}, {:.0f} s</h3><table>", escaped(record.task),
                        record.samples, record.seed, record.seconds);
    for (const auto& [key, value] : record.provenance) {
      html += rfs::format("<tr><td>{}</td><td>{}</td></tr>", escaped(key), escaped(value));
    }
    html += "</table>";
  }
  return html + "<pre>" + escaped(run.records.front().settings) + "</pre></details>";
}

}  // namespace

std::vector<LongScores> read_long_scores(const std::vector<fs::path>& folders) {
  std::vector<LongScores> scores;
  std::set<fs::path> seen;
  std::map<std::string, int> names;
  std::vector<std::string> paths;
  for (const auto& folder : folders) {
    for (const Run& run : find_runs(folder)) {
      const auto tasks = long_tasks(run);
      if (tasks.empty() || !seen.insert(fs::weakly_canonical(run.folder())).second) continue;
      LongScores one{run.name(), {}};
      for (const auto& task : tasks) one.records.push_back(read_long_record(run, task));
      scores.push_back(std::move(one));
      paths.push_back(one_line(run.folder().string()));
      ++names[scores.back().name];
    }
  }
  for (size_t i = 0; i < scores.size(); ++i) {
    if (names[scores[i].name] > 1) scores[i].name = paths[i];
  }
  return scores;
}

HeatMap long_map(const std::vector<LongScores>& scores) {
  HeatMap map;
  map.title = "Long-context suite: score by length and depth" +
              (scores.size() == 1 ? ", " + scores.front().name : std::string());
  const auto lengths = lengths_of(scores);
  for (const int64_t length : lengths) map.columns.push_back(rfs::format("{} tokens", length));
  std::set<int64_t> samples, trained;
  for (const auto& run : scores) {
    for (const auto& record : run.records) samples.insert(record.samples), trained.insert(record.trained_length);
  }
  for (const auto& line : lines_of(scores)) {
    HeatMap::Row row{line.name, {}};
    for (const int64_t length : lengths) {
      const auto found = line.cells.find(length);
      row.values.push_back(found == line.cells.end() ? std::nullopt : std::optional(found->second->score));
    }
    map.rows.push_back(std::move(row));
  }
  map.notes = {
      "Score: mean share of the right words or numbers in the answer.",
      "Depth 0 %: the answer stands at the beginning of the text; 100 %: at its end.",
      rfs::format("{} samples per cell; trained on {} tokens.", joined(samples, " or "), joined(trained, " or "))};
  return map;
}

std::string long_table(const std::vector<LongScores>& scores) {
  std::string text =
      "Score by length in tokens\n\n" + table_of(scores, [](const Cell& c) { return share_text(c.score); });
  const std::string likelihoods = table_of(scores, [](const Cell& cell) {
    return cell.log_likelihood ? rfs::format("{:.2f}", *cell.log_likelihood) : std::string();
  });
  if (likelihoods.empty()) return text;
  return text + "\nMean log-likelihood of the right answer per token\n\n" + likelihoods;
}

void write_long_report(const std::vector<LongScores>& scores, const fs::path& folder) {
  require_writable(folder);
  draw_heat_map(long_map(scores), folder, "long");
  const std::string table = long_table(scores);
  write_file(folder / "long.md", table);
  std::string html = page_begin("rfs: long-context suite") +
                     "<h1>Long-context suite</h1><p class=lead>How much of the right answer language models find in "
                     "texts of chosen lengths.</p><div class=figure>" +
                     inline_svg(folder / "long.svg", "long") + "</div>" + html_of(table) +
                     "<h2>Sample answers</h2><p>The first sample of each length, in the middle of the depths.</p>";
  for (const auto& run : scores) html += answers_of(run);
  html += "<h2>Provenance</h2>";
  for (const auto& run : scores) html += provenance_of(run);
  write_file(folder / "index.html", html + page_end());
}

}  // namespace rfs
