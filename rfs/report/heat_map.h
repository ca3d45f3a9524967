#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace rfs {

/// Numbers from 0 to 1 as a coloured table.
struct HeatMap {
  std::string title;
  std::vector<std::string> notes;  ///< small lines below
  std::vector<std::string> columns;
  struct Row {
    std::string name;
    std::vector<std::optional<double>> values;  ///< one per column; nothing if it was not measured
  };
  std::vector<Row> rows;
};

/// The map's data as text. Equal text means an equal figure.
std::string heat_map_data(const HeatMap& map);

/// Draws the map as NAME.svg, NAME.png and NAME.pdf in `folder`, with NAME.gp and NAME.dat next to them. Throws Error
/// if gnuplot is missing or fails.
void draw_heat_map(const HeatMap& map, const std::filesystem::path& folder, const std::string& name);

}  // namespace rfs
