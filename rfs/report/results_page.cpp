#include "rfs/report/results_page.h"

#include <algorithm>
#include <set>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/core/split.h"
#include "rfs/report/arena.h"
#include "rfs/report/chart.h"
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
        "<details><summary><a href='{0}'>{1}</a> <span class=small>{2}</span></summary><pre>{3}</pre>"
        "</details>",
        relative_url(out / folder, out), escaped(folder), escaped(about.first), escaped(about.second));
  }
  return html + "</details>";
}

/// A figure that was drawn before; "" if there is none.
std::string drawn_figure(const Plan& plan, const fs::path& out, const std::string& name) {
  const fs::path svg = out / plan.folder() / (name + ".svg");
  return fs::exists(svg) ? inline_svg(svg, plan.folder() + "-" + name) : "";
}

/// The figures of a plan: interactive ones from its records. Others are drawn before.
std::string figures_of(const Plan& plan, const fs::path& out) {
  if (plan.kind == "singular") return drawn_figure(plan, out, "singular");
  if (plan.kind == "arena") {
    std::string html;
    for (auto& [name, figure] : arena_curves(plan, read_arena(plan, out))) {
      html += chart_html(figure.title, {{measure_title(Measure::exact_match), std::move(figure)}}, out);
    }
    return drawn_figure(plan, out, "heat_map") + html;
  }
  if (plan.kind != "lengths") return "";
  const auto results = read_results(plan, out);
  Measures measures;
  for (const Measure measure : {Measure::exact_match, Measure::token_accuracy, Measure::edit_distance}) {
    auto figure = result_figure(plan, results, measure);
    if (!figure.panels.empty()) measures.emplace_back(measure_title(measure), std::move(figure));
  }
  return measures.empty() ? "" : chart_html("", measures, out);
}

}  // namespace

std::string results_page(const fs::path& experiments, const fs::path& out) {
  const auto plans = drawn_plans(experiments, out);
  std::string html = page_begin("rfs: the paper's figures and tables");
  html +=
      "<h1>Length generalization: the paper's figures and tables, reproduced</h1>"
      "<p>Exact match by length for models that never saw the longer lengths in training. An answer counts only if all "
      "of it is correct. Published numbers are listed next to ours where they exist.</p><nav>";
  for (const auto& plan : plans) html += rfs::format("<a href='#{0}'>{0}</a>", escaped(plan.folder()));
  html += "</nav>";
  for (const auto& plan : plans) {
    html += rfs::format("<h2 id='{}'>{}</h2><p class=small>{}. <code>rfs {}{}{}</code></p>", escaped(plan.folder()),
                        escaped(plan.title), escaped(plan.paper),
                        plan.kind == "arena" ? plan.name : "reproduce " + plan.name,
                        plan.preset.name == "paper" ? "" : " --preset " + plan.preset.name,
                        plan.steps == plan.preset.steps ? "" : rfs::format(" --steps {}", plan.steps));
    html += figures_of(plan, out);
    const fs::path folder = out / plan.folder();
    html += html_of(read_file(folder / "table.md"));
    if (fs::exists(folder / "summary.md")) html += html_of(read_file(folder / "summary.md"));
    if (plan.kind != "singular") html += provenance_of(plan, out);
  }
  return html + "<p class=small>Drawn by rfs; each figure's data and gnuplot script are in its folder.</p>" +
         page_end();
}

}  // namespace rfs
