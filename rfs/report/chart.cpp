#include "rfs/report/chart.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/report/html.h"

namespace rfs {
namespace {

using Json = nlohmann::json;

constexpr size_t most_points = 400;  // per line: more cannot be told apart on a screen

/// A number with the digits that a figure can show, to keep pages small.
double rounded(double value) {
  return std::strtod(rfs::format("{:.5g}", value).c_str(), nullptr);
}

/// gnuplot's dash type for SVG: "(9,5)" becomes "9 5"; "" for a solid line.
std::string dash_array(const std::string& dash) {
  if (!dash.starts_with('(')) return "";
  std::string array = dash.substr(1, dash.size() - 2);
  std::replace(array.begin(), array.end(), ',', ' ');
  return array;
}

Json points_json(const std::vector<PanelFigure::Point>& points) {
  Json json = Json::array();
  const size_t every = points.size() / most_points + 1;
  for (size_t i = 0; i < points.size(); ++i) {
    if (i % every != 0 && i + 1 < points.size()) continue;
    const auto& p = points[i];
    json.push_back({rounded(p.x), rounded(p.y), rounded(p.low), rounded(p.high), p.samples});
  }
  return json;
}

/// The sources of all lines, each once.
class Runs {
 public:
  explicit Runs(const std::filesystem::path& page_folder) : page_folder_(page_folder) {}

  Json indices(const std::vector<PanelFigure::Source>& sources) {
    Json indices = Json::array();
    for (const auto& source : sources) {
      const Json run = {
          {"name", source.name}, {"href", relative_url(source.folder, page_folder_)}, {"command", source.command}};
      const auto at = std::find(runs_.begin(), runs_.end(), run) - runs_.begin();
      if (static_cast<size_t>(at) == runs_.size()) runs_.push_back(run);
      indices.push_back(at);
    }
    return indices;
  }
  const Json& json() const { return runs_; }

 private:
  std::filesystem::path page_folder_;
  Json runs_ = Json::array();
};

Json figure_json(const std::string& name, const PanelFigure& figure, Runs& runs) {
  Json panels = Json::array();
  for (const auto& panel : figure.panels) {
    Json lines = Json::array();
    for (const auto& line : panel.lines) {
      lines.push_back({{"label", one_line(line.style.label)},
                       {"colour", line.style.colour},
                       {"dash", dash_array(line.style.dash)},
                       {"runs", runs.indices(line.sources)},
                       {"points", points_json(line.points)}});
    }
    const Json trained = panel.shaded ? Json{panel.shaded->first, panel.shaded->second} : Json();
    panels.push_back({{"title", panel.title}, {"trained", trained}, {"lines", lines}});
  }
  return {{"name", name},          {"x", figure.x_label},
          {"y", figure.y_label},   {"scale", figure.log_scale ? "log" : figure.open_top ? "open" : "share"},
          {"own_x", figure.own_x}, {"panels", panels}};
}

}  // namespace

std::vector<PanelFigure::Source> sources(const Series& series) {
  std::vector<PanelFigure::Source> sources;
  for (size_t i = 0; i < series.runs.size(); ++i) {
    const auto& provenance = series.trains[i].provenance;
    const auto command = provenance.find("command");
    const auto folder = std::filesystem::absolute(series.runs[i].folder()).lexically_normal();
    sources.push_back({series.runs[i].name(), folder, command == provenance.end() ? "" : command->second});
  }
  return sources;
}

std::string chart_json(const std::string& title, const Measures& measures, const std::filesystem::path& page_folder) {
  Runs runs(page_folder);
  Json figures = Json::array(), notes = Json::array();
  for (const auto& [name, figure] : measures) figures.push_back(figure_json(name, figure, runs));
  if (!measures.empty()) notes = measures.front().second.notes;
  const Json json = {{"title", title}, {"notes", notes}, {"runs", runs.json()}, {"measures", figures}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string chart_html(const std::string& title, const Measures& measures, const std::filesystem::path& page_folder) {
  return "<div class='figure chart'>" + script_data(chart_json(title, measures, page_folder)) + "</div>";
}

}  // namespace rfs
