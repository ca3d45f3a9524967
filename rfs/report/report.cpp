#include "rfs/report/report.h"

#include "rfs/core/files.h"
#include "rfs/report/figure.h"
#include "rfs/report/page.h"
#include "rfs/report/table.h"

namespace rfs {

void write_report(const std::vector<Series>& series, const std::filesystem::path& folder) {
  require_writable(folder);
  write_file(folder / "table.md", summary_table(series));
  draw_accuracy(series, folder);
  draw_loss(series, folder);
  write_file(folder / "index.html", html_page(series, folder));
}

}  // namespace rfs
