#include "rfs/run/report.h"

#include <algorithm>

#include "rfs/core/format.h"
#include "rfs/report/depth_map.h"
#include "rfs/report/mistakes.h"
#include "rfs/report/perplexity.h"
#include "rfs/report/report.h"
#include "rfs/report/table.h"
#include "rfs/run/folders.h"
#include "rfs/run/stored_settings.h"

namespace rfs {
namespace fs = std::filesystem;

RunReport report_runs(const std::vector<fs::path>& folders, const fs::path& out, const std::string& eval,
                      const RunContext& context) {
  require_report_folder(out);
  const auto series = read_series(folders, eval, with_todays_defaults);
  for (const auto& folder : folders) {
    for (const Run& run : find_runs(folder)) {
      const auto is_in = [&](const Series& one) {
        return std::any_of(one.runs.begin(), one.runs.end(),
                           [&](const Run& other) { return fs::equivalent(other.folder(), run.folder()); });
      };
      if (!run.evaluated(eval)) {
        context.events->note("", rfs::format("left out: {} is not evaluated", run.folder().string()));
      } else if (std::none_of(series.begin(), series.end(), is_in)) {
        context.events->note(
            "", rfs::format("left out: {} has the settings and the seed of another run", run.folder().string()));
      }
    }
  }
  RunReport report;
  report.perplexity = has_losses(series);
  if (report.perplexity) {
    write_perplexity_report(series, out);
    report.table = perplexity_table(series);
    report.figure = out / "perplexity.png";
    report.page = out / "index.html";
    return report;
  }
  write_report(series, out);
  report.table = summary_table(series);
  report.figure = out / "accuracy.png";
  report.page = out / "index.html";
  if (!depth_map(series).rows.empty()) report.depths = out / "depth.png";
  if (any_decoded(series)) {
    report.mistakes = mistake_table(series);
    report.errors = out / "errors.png";
  }
  return report;
}

}  // namespace rfs
