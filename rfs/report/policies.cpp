#include "rfs/report/policies.h"

#include <cmath>

#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/core/statistics.h"
#include "rfs/report/table.h"

namespace rfs {
namespace {

double share(const PolicyRecord::Part& part) {
  return static_cast<double>(part.agree) / static_cast<double>(part.tokens);
}

double milliseconds(const PolicyRecord::Part& part) {
  return 1e3 * part.seconds / static_cast<double>(part.tokens);
}

/// One line per policy; `point` returns y, low and high for a part.
template <class Make>
PanelFigure figure_of(const PolicyRecord& record, const Make& point) {
  PanelFigure figure;
  figure.x_label = "text length in tokens";
  PanelFigure::Panel panel;
  for (const auto& part : record.parts) {
    if (panel.lines.empty() || panel.lines.back().style.label != part.policy) {
      panel.lines.push_back({method_style(part.policy, panel.lines.size()), {}});
    }
    PanelFigure::Point at = point(part);
    at.x = static_cast<double>(part.end);
    at.samples = part.tokens;
    panel.lines.back().points.push_back(at);
  }
  panel.shaded = {0, static_cast<double>(record.trained_length)};
  figure.panels = {panel};
  figure.notes = {
      rfs::format("Shaded: up to the training length of {} tokens. {} texts.", record.trained_length, record.texts)};
  return figure;
}

}  // namespace

PanelFigure agreement_figure(const PolicyRecord& record) {
  auto figure = figure_of(record, [](const PolicyRecord::Part& part) {
    const Interval interval = wilson(part.agree, part.tokens);
    return PanelFigure::Point{0, share(part), interval.low, interval.high, 0};
  });
  figure.title = "Greedy next tokens that agree with n_in = current";
  figure.y_label = "share";
  return figure;
}

PanelFigure perplexity_figure(const PolicyRecord& record) {
  auto figure = figure_of(record, [](const PolicyRecord::Part& part) {
    const double perplexity = std::exp(part.loss);
    return PanelFigure::Point{0, perplexity, perplexity, perplexity, 0};
  });
  figure.title = "Perplexity of the texts";
  figure.y_label = "perplexity";
  figure.log_scale = true;
  return figure;
}

PanelFigure speed_figure(const PolicyRecord& record) {
  auto figure = figure_of(record, [](const PolicyRecord::Part& part) {
    const double time = milliseconds(part);
    return PanelFigure::Point{0, time, time, time, 0};
  });
  figure.title = "Time per generated token";
  figure.y_label = "milliseconds";
  figure.log_scale = true;
  const auto place = [&](const char* key) {
    const auto found = record.provenance.find(key);
    return found == record.provenance.end() ? std::string("?") : found->second;
  };
  figure.notes.push_back(rfs::format("{}, {}", place("machine"), place("device")));
  return figure;
}

std::string policies_table(const PolicyRecord& record) {
  std::vector<std::vector<std::string>> rows = {
      {"n_in", "text length", "agreement", "loss", "ms per token", "full passes"}};
  for (const auto& part : record.parts) {
    rows.push_back({part.policy, rfs::format("{}-{}", part.begin + 1, part.end), rfs::format("{:.3f}", share(part)),
                    rfs::format("{:.4f}", part.loss), rfs::format("{:.2f}", milliseconds(part)),
                    std::to_string(part.passes)});
  }
  return aligned(rows);
}

void write_policies_report(const PolicyRecord& record, const std::filesystem::path& folder) {
  require_writable(folder);
  draw_panels(agreement_figure(record), folder, "agreement");
  draw_panels(perplexity_figure(record), folder, "perplexity");
  draw_panels(speed_figure(record), folder, "speed");
  write_file(folder / "table.md", "n_in policies by text length in tokens\n\n" + policies_table(record));
}

}  // namespace rfs
