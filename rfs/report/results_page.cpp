#include "rfs/report/results_page.h"

#include <algorithm>
#include <set>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/core/split.h"
#include "rfs/report/html.h"
#include "rfs/report/result.h"
#include "rfs/report/table.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

/// The plans whose folders are below `out`, sorted by name.
std::vector<Plan> drawn_plans(const fs::path& experiments, const fs::path& out) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(out)) {
    if (fs::exists(entry.path() / "experiment.toml")) files.push_back(entry.path() / "experiment.toml");
  }
  std::sort(files.begin(), files.end());
  std::vector<Plan> plans;
  for (const auto& file : files) plans.push_back(drawn_plan(experiments, file));
  return plans;
}

/// Converts Markdown with paragraphs, headings and tables to HTML.
std::string html_of(const std::string& markdown) {
  std::string html;
  bool table = false, head = false;
  for (const std::string_view one : split_lines(markdown)) {
    const std::string line(one);
    const bool row = line.starts_with('|');
    if (table && !row) html += "</table></div>";
    if (!table && row) html += "<div class=scroll><table>";
    head = row && !table;
    table = row;
    if (line.starts_with("### ")) {
      html += "<h4>" + escaped(line.substr(4)) + "</h4>";
    } else if (row && line.find_first_not_of("|-: ") == std::string::npos && !head) {
      continue;
    } else if (row) {
      html += "<tr>";
      std::string cell;
      for (size_t i = 1; i < line.size(); ++i) {
        const bool escaped_bar = line[i] == '|' && line[i - 1] == '\\';
        if (line[i] != '|' || escaped_bar) {
          cell += line[i];
          continue;
        }
        const auto first = cell.find_first_not_of(' ');
        const std::string text =
            first == std::string::npos ? "" : cell.substr(first, cell.find_last_not_of(' ') - first + 1);
        html += (head ? "<th>" : "<td>") + escaped(cell_text(text)) + (head ? "</th>" : "</td>");
        cell.clear();
      }
      html += "</tr>";
    } else if (!line.empty()) {
      html += "<p>" + escaped(line) + "</p>";
    }
  }
  return html + (table ? "</table></div>" : "");
}

std::string listed(const std::set<std::string>& values) {
  return escaped(join(std::vector<std::string>(values.begin(), values.end())));
}

/// The provenance of the numbers: each run with its records, and all commits, machines and dates.
std::string provenance_of(const Plan& plan, const fs::path& out) {
  const auto results = read_results(plan, out);
  std::set<std::string> commits, machines, devices, dates, seeds;
  std::map<std::string, std::pair<std::string, std::string>> runs;  // folder to summary and settings
  for (const auto& result : results) {
    for (const auto& series : result.series) {
      for (size_t i = 0; i < series.runs.size(); ++i) {
        const auto& from = series.trains[i].provenance;
        const auto at = [&](const char* key) { return from.contains(key) ? from.at(key) : std::string("unknown"); };
        commits.insert(at("commit"));
        machines.insert(at("machine"));
        devices.insert(at("device"));
        dates.insert(at("date").substr(0, 10));
        seeds.insert(series.runs[i].name());
        const auto folder = series.runs[i].folder().lexically_relative(out).generic_string();
        runs[folder] = {rfs::format("{} steps, {:.0f} s, loss {:.4f}; {}", series.trains[i].steps,
                                    series.trains[i].seconds, series.trains[i].loss, at("command")),
                        series.runs[i].settings()};
      }
    }
  }
  std::string html = rfs::format("<p class=small>{} steps; seeds {}; trained on {} ({}); commit {}; {}.</p>",
                                 plan.steps, listed(seeds), listed(devices), listed(machines), listed(commits),
                                 dates.size() < 2 ? listed(dates) : escaped(*dates.begin() + " to " + *dates.rbegin()));
  html += rfs::format("<details><summary>{} runs, with settings</summary>", runs.size());
  for (const auto& [folder, about] : runs) {
    html += rfs::format(
        "<details><summary><a href='{0}/'>{0}</a> <span class=small>{1}</span></summary><pre>{2}</pre>"
        "</details>",
        escaped(folder), escaped(about.first), escaped(about.second));
  }
  return html + "</details>";
}

constexpr const char* head = R"(<!doctype html>
<html lang=en><head><meta charset=utf-8><meta name=viewport content="width=device-width, initial-scale=1">
<title>rfs: the paper's figures and tables</title><style>
:root{color-scheme:light}
body{font:16px/1.55 system-ui,"DejaVu Sans",sans-serif;color:#222;background:#fafafa;max-width:1100px;margin:0 auto;padding:24px}
h1{font-size:1.7em;margin:.2em 0}h2{margin-top:2em;border-bottom:1px solid #ddd;padding-bottom:.2em}
h4{margin:1em 0 .3em}.small{color:#666;font-size:.86em}nav a{margin-right:1em}
.figure{background:#fff;border-radius:6px;box-shadow:0 1px 3px #0002;padding:8px;margin:12px 0}
.figure svg{width:100%;height:auto;display:block}.scroll{overflow-x:auto}table{border-collapse:collapse;margin:.6em 0}
td,th{padding:3px 10px;text-align:left;vertical-align:top;border-top:1px solid #e5e5e5;font-size:.92em}
pre{background:#f0f0f0;padding:12px;border-radius:6px;overflow-x:auto;font-size:13px}details{margin:.3em 0}
details details{margin-left:1em}summary{cursor:pointer}
</style></head><body>
)";

}  // namespace

std::string results_page(const fs::path& experiments, const fs::path& out) {
  const auto plans = drawn_plans(experiments, out);
  std::string html = head;
  html +=
      "<h1>Length generalization: the paper's figures and tables, reproduced</h1>"
      "<p>Exact match by length for models that never saw the longer lengths in training. An answer counts only if all "
      "of it is correct. Published numbers are listed next to ours where they exist.</p><nav>";
  for (const auto& plan : plans) html += rfs::format("<a href='#{0}'>{0}</a>", escaped(plan.folder()));
  html += "</nav>";
  for (const auto& plan : plans) {
    const fs::path folder = out / plan.folder();
    html += rfs::format("<h2 id='{}'>{}</h2><p class=small>{}. <code>rfs {}{}{}</code></p>", escaped(plan.folder()),
                        escaped(plan.title), escaped(plan.paper),
                        plan.kind == "arena" ? plan.name : "reproduce " + plan.name,
                        plan.preset.name == "paper" ? "" : " --preset " + plan.preset.name,
                        plan.steps == plan.preset.steps ? "" : rfs::format(" --steps {}", plan.steps));
    bool first = true;
    std::vector<std::string> figures = {"exact_match", "token_accuracy", "edit_distance", "singular", "heat_map"};
    for (const auto& entry : fs::directory_iterator(folder)) {
      const std::string stem = entry.path().stem();
      if (entry.path().extension() == ".svg" && stem.starts_with("curves_")) figures.push_back(stem);
    }
    std::sort(figures.begin() + 5, figures.end());
    for (const auto& name : figures) {
      if (!fs::exists(folder / (name + ".svg"))) continue;
      const auto svg = inline_svg(folder / (name + ".svg"), plan.folder() + "-" + name);
      std::string words = name;
      std::replace(words.begin(), words.end(), '_', ' ');
      html += first ? svg : rfs::format("<details><summary>{}</summary>{}</details>", words, svg);
      first = false;
    }
    html += html_of(read_file(folder / "table.md"));
    if (fs::exists(folder / "summary.md")) html += html_of(read_file(folder / "summary.md"));
    if (plan.kind != "singular") html += provenance_of(plan, out);
  }
  return html +
         "<p class=small>Drawn by rfs; each figure's data and gnuplot script are in its folder.</p></body></html>\n";
}

}  // namespace rfs
