#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "rfs/report/series.h"

namespace rfs {

/// One self-contained HTML page for `folder`: what was trained, interactive figures, the numbers, sample answers, token
/// positions, settings and provenance.
std::string html_page(const std::vector<Series>& series, const std::filesystem::path& folder);

/// The same for language models: perplexity by input length and by position.
std::string perplexity_page(const std::vector<Series>& series, const std::filesystem::path& folder);

}  // namespace rfs
