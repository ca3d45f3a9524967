#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "rfs/report/series.h"

namespace rfs {

/// The section of a page with attention maps of the series that have them (attention.json in their first run); "" if
/// none has. Throws Error if a record is broken.
std::string attention_section(const std::vector<Series>& series, const std::filesystem::path& page_folder);

}  // namespace rfs
