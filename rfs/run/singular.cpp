#include "rfs/run/singular.h"

#include <ATen/ops/linalg_svdvals.h>
#include <torch/types.h>

#include <cmath>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/report/panels.h"
#include "rfs/report/result.h"
#include "rfs/report/table.h"
#include "rfs/run/settings.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

struct Matrix {
  int64_t width = 0;
  double range = 0;
  std::vector<int64_t> lengths;
};

Matrix read_matrix(const Plan& plan) {
  const Table* table = plan.file.find("matrix");
  const auto value = [&](const char* key) -> const Value& {
    const Value* found = table ? table->find(key) : nullptr;
    if (!found) throw Error(rfs::format("{}: [matrix] has no key {}", plan.name, key));
    return *found;
  };
  Matrix matrix;
  const auto* width = std::get_if<int64_t>(&value("width").data);
  const auto* range = std::get_if<double>(&value("range").data);
  const auto* lengths = std::get_if<Value::List>(&value("lengths").data);
  if (!width || !range || !lengths) {
    throw Error(rfs::format("{}: must have an integer width, a float range and a list of lengths", table->origin));
  }
  matrix.width = *width;
  matrix.range = *range;
  for (const Value& one : *lengths) {
    const auto* length = std::get_if<int64_t>(&one.data);
    if (!length || *length < 1) throw Error(rfs::format("{}: lengths must be above 0, got {}", one.origin, one.text()));
    matrix.lengths.push_back(*length);
  }
  return matrix;
}

/// Singular values of equation 1 of the paper for n positions (an n x d matrix), in descending order.
std::vector<double> singular_values(const RunSettings& settings, int64_t length, int64_t width) {
  std::vector<float> positions(static_cast<size_t>(length));
  Stream stream(0, "singular");
  settings.positions.make()->infer(stream, 1, length, positions);
  const auto frequencies = settings.encoding.make()->sinusoids(width);
  auto matrix = torch::empty({length, width}, torch::kFloat64);
  auto rows = matrix.accessor<double, 2>();
  for (int64_t i = 0; i < length; ++i) {
    for (int64_t k = 0; k < width; ++k) {
      const double angle =
          static_cast<double>(positions[static_cast<size_t>(i)]) * frequencies[static_cast<size_t>(k / 2)];
      rows[i][k] = k % 2 == 0 ? std::sin(angle) : std::cos(angle);
    }
  }
  const auto values = at::linalg_svdvals(matrix).contiguous();
  return {values.data_ptr<double>(), values.data_ptr<double>() + values.numel()};
}

/// Singular values of at least this share of the largest one count towards the rank.
constexpr double rank_share = 0.01;

}  // namespace

void write_singular(const Plan& plan, const fs::path& out) {
  const Matrix matrix = read_matrix(plan);
  const fs::path folder = out / plan.folder();
  const std::vector<std::pair<std::string, std::string>> kinds = {
      {"Simple extension", "use = \"sequential\""},
      {"RFS", rfs::format("use = \"random_float\"\nrange = {:.1f}", matrix.range)}};
  static const std::vector<std::string> colours = {"#440154", "#46327e", "#365c8d", "#277f8e",
                                                   "#1fa187", "#4ac16d", "#a0b416", "#d8a01c"};
  static const std::vector<int> markers = {2, 4, 6, 8, 12, 5, 7, 9};
  PanelFigure figure;
  figure.title = plan.title;
  figure.x_label = "number of the singular value";
  figure.y_label = "singular value";
  figure.columns = 2;
  figure.log_scale = true;
  figure.notes = {
      rfs::format("Width {}; RFS spreads positions evenly over [0, {:.0f}). Values below 1e-6 are not drawn.",
                  matrix.width, matrix.range)};
  std::vector<std::vector<std::string>> rows = {{"positions"}};
  for (const int64_t length : matrix.lengths) rows.front().push_back(rfs::format("n = {}", length));
  for (const auto& [title, table] : kinds) {
    const auto settings = RunSettings::read(
        Settings::from_text("[positions]\n" + table + "\n[encoding]\nuse = \"sinusoidal\"\n", plan.name));
    PanelFigure::Panel panel;
    panel.title = title;
    rows.push_back({title});
    for (size_t i = 0; i < matrix.lengths.size(); ++i) {
      const auto values = singular_values(settings, matrix.lengths[i], matrix.width);
      PanelFigure::Line line;
      line.style = {rfs::format("n = {}", matrix.lengths[i]), colours[i % colours.size()], i % 2 == 0 ? "1" : "(6,3)",
                    markers[i % markers.size()]};
      int rank = 0;
      for (size_t k = 0; k < values.size(); ++k) {
        if (values[k] >= rank_share * values.front()) ++rank;
        if (values[k] >= 1e-6) line.points.push_back({static_cast<double>(k + 1), values[k], values[k], values[k], 1});
      }
      rows.back().push_back(rfs::format("{}", rank));
      panel.lines.push_back(std::move(line));
    }
    figure.panels.push_back(std::move(panel));
  }
  const std::string text =
      rfs::format("Singular values of at least {} % of the largest one, by length n:\n\n", 100 * rank_share) +
      aligned(rows, 1);
  write_experiment(plan, out);
  write_file(folder / "table.md", text);
  draw_panels(figure, folder, "singular");
}

}  // namespace rfs
