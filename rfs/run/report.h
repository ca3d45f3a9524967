#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "rfs/run/events.h"

namespace rfs {

/// What a report says, and where its files are. Paths are empty where there is no such file.
struct RunReport {
  bool perplexity = false;       ///< of language models, else exact match
  std::string table, mistakes;   ///< aligned Markdown; mistakes: "" where nothing was decoded
  std::filesystem::path figure;  ///< accuracy.png or perplexity.png
  std::filesystem::path errors, page;
};

/// Writes the report of some runs' evaluation of that name into `out`. Runs that are left out are noted. Throws Error.
RunReport report_runs(const std::vector<std::filesystem::path>& folders, const std::filesystem::path& out,
                      const std::string& eval = "", const RunContext& context = {});

}  // namespace rfs
