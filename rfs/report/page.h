#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "rfs/report/series.h"

namespace rfs {

/// One self-contained HTML page: what was trained, the figures (already drawn in `folder`), the numbers, sample
/// answers, token positions, settings and provenance.
std::string html_page(const std::vector<Series>& series, const std::filesystem::path& folder);

}  // namespace rfs
