#include "rfs/report/depth_map.h"

#include <map>
#include <set>

#include "rfs/core/format.h"

namespace rfs {
namespace {

struct Counts {
  int64_t correct = 0, total = 0;
};

}  // namespace

std::string depth_text(int64_t depth) {
  return rfs::format("depth {} %", depth);
}

HeatMap depth_map(const std::vector<Series>& series) {
  constexpr int64_t trained_column = 0;                                             // before all lengths
  std::vector<std::map<int64_t, std::map<int64_t, Counts>>> counts(series.size());  // by depth, then column
  std::set<int64_t> columns;
  int64_t last_trained = 0, fewest = 0;
  for (size_t i = 0; i < series.size(); ++i) {
    for (const auto& eval : series[i].evals) {
      for (const auto& length : eval.lengths) {
        if (length.trained) last_trained = std::max(last_trained, length.length);
        for (const auto& bin : length.depths) {
          const int64_t column = length.trained ? trained_column : length.length;
          columns.insert(column);
          auto& sum = counts[i][bin.depth][column];
          sum = {sum.correct + bin.correct, sum.total + bin.total};
        }
      }
    }
  }
  HeatMap map;
  map.title = "Exact match by length and depth of the answer";
  for (const int64_t column : columns) {
    map.columns.push_back(column == trained_column ? rfs::format("trained, up to {}", last_trained)
                                                   : rfs::format("{}", column));
  }
  for (size_t i = 0; i < series.size(); ++i) {
    for (const auto& [depth, by_column] : counts[i]) {
      HeatMap::Row row{series.size() > 1 ? series[i].name + ", " + depth_text(depth) : depth_text(depth), {}};
      for (const int64_t column : columns) {
        const auto found = by_column.find(column);
        row.values.emplace_back();
        if (found == by_column.end()) continue;
        const auto& [correct, total] = found->second;
        row.values.back() = static_cast<double>(correct) / static_cast<double>(total);
        fewest = fewest == 0 ? total : std::min(fewest, total);
      }
      map.rows.push_back(std::move(row));
    }
  }
  map.notes = {"Depth 0 %: the answer stands at the beginning of the prompt; 100 %: at its end.",
               rfs::format("Each cell has {} samples or more. Lengths are those of the task.", fewest)};
  return map;
}

void draw_depths(const std::vector<Series>& series, const std::filesystem::path& folder) {
  if (const HeatMap map = depth_map(series); !map.rows.empty()) draw_heat_map(map, folder, "depth");
}

}  // namespace rfs
