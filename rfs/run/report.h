#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "rfs/run/events.h"

namespace rfs {

/// The tables of a report and the paths of its files. A path is empty if there is no such file.
struct RunReport {
  bool perplexity = false;       ///< language models: perplexity instead of exact match
  std::string table, mistakes;   ///< aligned Markdown; mistakes: "" if nothing was decoded
  std::filesystem::path figure;  ///< accuracy.png or perplexity.png
  std::filesystem::path errors, depths, page;
};

/// Writes a report about the evaluation named `eval` of some runs into `out`. Reports each run that is left out. Throws
/// Error.
RunReport report_runs(const std::vector<std::filesystem::path>& folders, const std::filesystem::path& out,
                      const std::string& eval = "", const RunContext& context = {});

}  // namespace rfs
