#include "rfs/report/report.h"

#include "rfs/core/files.h"
#include "rfs/report/depth_map.h"
#include "rfs/report/figure.h"
#include "rfs/report/mistakes.h"
#include "rfs/report/page.h"
#include "rfs/report/table.h"

namespace rfs {

void write_report(const std::vector<Series>& series, const std::filesystem::path& folder) {
  require_writable(folder);
  draw_accuracy(series, folder);
  const std::string mistakes = mistake_table(series);
  write_file(folder / "table.md", summary_table(series) + (mistakes.empty() ? "" : "\n" + mistakes));
  draw_errors(series, folder);
  draw_depths(series, folder);
  draw_loss(series, folder);
  write_file(folder / "index.html", html_page(series, folder));
}

}  // namespace rfs
