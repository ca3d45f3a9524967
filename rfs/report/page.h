#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "rfs/report/series.h"

namespace rfs {

/// One HTML page that needs no other file: what was trained, the figures (from `folder`, where they were drawn), the
/// numbers, sample answers, how the tokens were numbered, settings and provenance.
std::string html_page(const std::vector<Series>& series, const std::filesystem::path& folder);

}  // namespace rfs
