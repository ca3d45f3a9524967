#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "rfs/report/panels.h"
#include "rfs/report/series.h"

namespace rfs {

/// The runs of a series, for the lines that show it.
std::vector<PanelFigure::Source> sources(const Series& series);

/// One figure by several measures ("exact match"), which a page lets its reader choose.
using Measures = std::vector<std::pair<std::string, PanelFigure>>;

/// Figures as the JSON that assets/chart.js draws. Links to records are relative to the folder of the page; with an
/// empty folder there are none.
std::string chart_json(const std::string& title, const Measures& measures, const std::filesystem::path& page_folder);

/// The same as an interactive figure of a page.
std::string chart_html(const std::string& title, const Measures& measures, const std::filesystem::path& page_folder);

}  // namespace rfs
