// What the arena's records show: table, summary, heat map and curves.

#include <algorithm>
#include <set>

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/report/arena.h"
#include "rfs/report/table.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

constexpr auto measures = {ArenaMeasure::longer, ArenaMeasure::longest};

std::string span_text(std::pair<int64_t, int64_t> span) {
  return span.first == span.second ? rfs::format("{}", span.first) : rfs::format("{}-{}", span.first, span.second);
}

/// "Copy 11-20" or "Copy 80"
std::string column_title(const Arena& arena, const std::string& task, ArenaMeasure measure) {
  std::pair<int64_t, int64_t> tested;
  int64_t furthest = 0;
  for (const auto& cell : arena.cells) {
    if (cell.task != task) continue;
    tested = cell.tested;
    furthest = std::max(furthest, cell.furthest);
  }
  return task_title(task) + " " + (measure == ArenaMeasure::longer ? span_text(tested) : rfs::format("{}", furthest));
}

std::string label(const Plan& plan, const std::string& method) {
  const auto names = plan.method_names();
  return method_style(method, static_cast<size_t>(std::find(names.begin(), names.end(), method) - names.begin())).label;
}

std::set<std::string> seeds_of(const Arena& arena) {
  std::set<std::string> seeds;
  for (const auto& cell : arena.cells) {
    for (const auto& [seed, unused] : cell.longer) seeds.insert(seed);
  }
  return seeds;
}

std::string sizes_text(const Plan& plan) {
  return rfs::format("Preset {}, {} steps", plan.preset.name, plan.steps);
}

/// What the plan has and the records lack: "12 of 255 lines"; "" if nothing is missing.
std::string missing_lines(const Plan& plan, const Arena& arena) {
  const size_t all = plan.method_names().size() * plan.tasks.size();
  return arena.cells.size() == all ? "" : rfs::format("{} of {} lines", all - arena.cells.size(), all);
}

/// "+.21 (p = .003, 3 seeds)"
std::string difference_text(const Difference& d, bool over_tasks) {
  const std::string size = share_text(std::abs(d.difference));
  const std::string p = d.level < 0.001 ? "p < .001" : "p = " + share_text(d.level, 3);
  return rfs::format("{}{} ({}, {} {}{})", d.difference < 0 ? "-" : "+", size, p, d.pairs, over_tasks ? "pair" : "seed",
                     d.pairs == 1 ? "" : "s");
}

/// One comparison of all methods with the baseline, in sentences.
std::string comparison(const Plan& plan, const Arena& arena, const std::string& task, ArenaMeasure measure) {
  auto found = differences(arena, task, measure);
  if (found.empty()) return "Nothing to compare: no other method has a record with a seed of the baseline.\n";
  double lowest = 1, highest = 0;
  for (const auto& cell : arena.cells) {
    if (!task.empty() && cell.task != task) continue;
    for (const auto& [seed, score] : cell.scores(measure)) {
      lowest = std::min(lowest, score.share);
      highest = std::max(highest, score.share);
    }
  }
  if (highest < 0.02) return "No method scores .02 or more. This test is too hard to tell methods apart.\n";
  if (lowest > 0.98) return "All methods score above .98. This test is too easy to tell methods apart.\n";
  std::stable_sort(found.begin(), found.end(),
                   [](const Difference& a, const Difference& b) { return a.difference > b.difference; });
  std::string text;
  const auto list = [&](const std::string& head, const auto& belongs) {
    std::vector<std::string> parts;
    for (const auto& d : found) {
      if (belongs(d)) parts.push_back(label(plan, d.method) + " " + difference_text(d, task.empty()));
    }
    if (!parts.empty()) text += rfs::format("- {}: {}\n", head, join(parts, "; "));
  };
  list("Higher, beyond the noise",
       [](const auto& d) { return d.exceeds_noise() && d.seeds_known && d.difference > 0; });
  list("Lower, beyond the noise", [](const auto& d) { return d.exceeds_noise() && d.seeds_known && d.difference < 0; });
  list("Higher with one seed", [](const auto& d) { return d.exceeds_noise() && !d.seeds_known && d.difference > 0; });
  list("Lower with one seed", [](const auto& d) { return d.exceeds_noise() && !d.seeds_known && d.difference < 0; });
  std::vector<std::string> same;
  for (const auto& d : found) {
    if (!d.exceeds_noise()) same.push_back(label(plan, d.method));
  }
  if (same.size() == found.size()) {
    return rfs::format(
        "Nothing can be concluded: none of the {} methods differs from the baseline by more than the "
        "noise.\n",
        found.size());
  }
  if (!same.empty()) text += rfs::format("- Within the noise: {}\n", join(same, "; "));
  return text;
}

}  // namespace

std::string arena_table(const Plan& plan, const Arena& arena) {
  std::vector<std::vector<std::string>> rows = {{"method"}};
  for (const auto& task : arena.tasks) {
    for (const auto measure : measures) rows[0].push_back(column_title(arena, task, measure));
  }
  rows[0].emplace_back("seeds");
  for (const auto& method : arena.methods) {
    std::vector<std::string> row = {label(plan, method)};
    size_t fewest = 0, most = 0;
    for (const auto& task : arena.tasks) {
      const ArenaCell* cell = arena.find(task, method);
      for (const auto measure : measures) {
        const auto mean = cell ? arena_mean(*cell, measure) : std::nullopt;
        row.push_back(mean ? share_text(Series::Mean{mean->mean, mean->interval.low, mean->interval.high, true}) : "-");
      }
      if (!cell) continue;
      fewest = fewest == 0 ? cell->longer.size() : std::min(fewest, cell->longer.size());
      most = std::max(most, cell->longer.size());
    }
    row.push_back(fewest == most ? rfs::format("{}", most) : rfs::format("{}-{}", fewest, most));
    rows.push_back(row);
  }
  std::string text = aligned(rows);
  text +=
      "\nExact match: the mean over the untrained lengths of the first columns, and at the longest tested length. "
      "Brackets: 95 % intervals. For one seed they show the noise of the samples only; for several, that of the "
      "seeds.\n";
  text += "\n" + sizes_text(plan) + ".";
  if (const auto missing = missing_lines(plan, arena); !missing.empty()) text += " Missing: " + missing + ".";
  return text + "\n";
}

std::string arena_summary(const Plan& plan, const Arena& arena) {
  const auto seeds = seeds_of(arena);
  const std::string baseline = label(plan, arena.baseline);
  std::string text = rfs::format("### What differs from {} by more than the noise\n\n", baseline);
  text +=
      rfs::format("{}; seed{} {}. Exact match of each method minus that of the baseline, {}.\n\n", sizes_text(plan),
                  seeds.size() == 1 ? "" : "s", join(std::vector<std::string>(seeds.begin(), seeds.end())), baseline);
  text +=
      "Runs are paired by task and seed, and differences are tested with Student's test. Their noise is that of the "
      "method's own seeds, but at least the typical one of all methods (if five or more have several seeds) and at "
      "least "
      "that of the test's samples. Lists \"with one seed\" know only the samples: they compare two trained models, and "
      "another seed can turn the result. p is corrected for the number of methods (Holm); a difference counts if p is "
      "below .05.\n";
  if (!arena.find(arena.tasks.front(), arena.baseline) && arena.tasks.size() == 1) {
    return text + "\nNothing can be concluded: the baseline has no record.\n";
  }
  if (arena.tasks.size() > 1) {
    text += "\n### All tasks\n";
    for (const auto measure : measures) {
      text +=
          rfs::format("\n{}:\n\n{}",
                      measure == ArenaMeasure::longer ? "Untrained lengths of the main test" : "Longest tested length",
                      comparison(plan, arena, "", measure));
    }
  }
  for (const auto& task : arena.tasks) {
    text += rfs::format("\n### {}\n", task_title(task));
    for (const auto measure : measures) {
      text += rfs::format("\n{}:\n\n{}", column_title(arena, task, measure), comparison(plan, arena, task, measure));
    }
  }
  return text;
}

HeatMap arena_heat_map(const Plan& plan, const Arena& arena) {
  HeatMap map;
  map.title = "Exact match on longer inputs";
  const auto seeds = seeds_of(arena);
  map.notes.push_back(rfs::format("{}; {}{}.", sizes_text(plan), seeds.size() == 1 ? "seed " : "mean of seeds ",
                                  join(std::vector<std::string>(seeds.begin(), seeds.end()))));
  if (const auto missing = missing_lines(plan, arena); !missing.empty())
    map.notes.push_back("Missing: " + missing + ".");
  for (const auto& task : arena.tasks) {
    for (const auto measure : measures) map.columns.push_back(column_title(arena, task, measure));
  }
  for (const auto& method : arena.methods) {
    HeatMap::Row row{label(plan, method), {}};
    for (const auto& task : arena.tasks) {
      const ArenaCell* cell = arena.find(task, method);
      for (const auto measure : measures) {
        const auto mean = cell ? arena_mean(*cell, measure) : std::nullopt;
        row.values.push_back(mean ? std::optional(mean->mean) : std::nullopt);
      }
    }
    map.rows.push_back(std::move(row));
  }
  return map;
}

std::vector<std::pair<std::string, PanelFigure>> arena_curves(const Plan& plan, const Arena& arena) {
  std::vector<std::pair<std::string, PanelFigure>> figures;
  const auto seeds = seeds_of(arena);
  for (const auto& [row, methods] : plan.lines) {
    std::vector<std::string> shown = {arena.baseline};
    for (const auto& method : methods) {
      if (method != arena.baseline) shown.push_back(method);
    }
    PanelFigure figure;
    figure.title = plan.lines.size() > 1 ? "The arena: " + row : plan.title;
    figure.x_label = "length";
    figure.y_label = "exact match";
    bool any = false;
    for (const auto& task : arena.tasks) {
      PanelFigure::Panel panel;
      panel.title = task_title(task);
      for (size_t i = 0; i < shown.size(); ++i) {
        const ArenaCell* cell = arena.find(task, shown[i]);
        if (!cell) continue;
        any = any || shown[i] != arena.baseline || shown.size() == 1;
        panel.shaded = {static_cast<double>(cell->trained.first), static_cast<double>(cell->trained.second)};
        auto style = method_style(shown[i], i == 0 ? 0 : i - 1);
        if (i == 0 && methods.front() != arena.baseline) style.colour = "#777777";  // series have a blue, too
        panel.lines.push_back({style, cell->curve});
      }
      if (!panel.lines.empty()) figure.panels.push_back(std::move(panel));
    }
    if (!any) continue;
    figure.columns = figure.panels.size() <= 2 ? figure.panels.size() : 3;
    figure.notes.push_back(rfs::format("Shaded: trained lengths. Band: 95 % interval. {}; seed{} {}.", sizes_text(plan),
                                       seeds.size() == 1 ? "" : "s",
                                       join(std::vector<std::string>(seeds.begin(), seeds.end()))));
    std::string name = "curves_" + row;
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return std::isalnum(c) ? static_cast<char>(std::tolower(c)) : '_'; });
    figures.emplace_back(name, std::move(figure));
  }
  return figures;
}

std::vector<std::pair<std::string, std::string>> arena_files(const Plan& plan, const fs::path& out) {
  const Arena arena = read_arena(plan, out);
  if (arena.cells.empty()) return {};
  std::vector<std::pair<std::string, std::string>> files = {
      {"table.md", arena_table(plan, arena)},
      {"summary.md", arena_summary(plan, arena)},
      {"heat_map.dat", heat_map_data(arena_heat_map(plan, arena))}};
  for (const auto& [name, figure] : arena_curves(plan, arena)) files.emplace_back(name + ".dat", panel_data(figure));
  return files;
}

void draw_arena(const Plan& plan, const fs::path& out) {
  const Arena arena = read_arena(plan, out);
  const fs::path folder = out / plan.folder();
  draw_heat_map(arena_heat_map(plan, arena), folder, "heat_map");
  for (const auto& [name, figure] : arena_curves(plan, arena)) draw_panels(figure, folder, name);
}

}  // namespace rfs
