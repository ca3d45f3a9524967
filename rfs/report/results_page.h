#pragma once

#include <filesystem>
#include <string>

namespace rfs {

/// One HTML page with all experiments drawn below `out` (folders with experiment.toml): figures, tables, settings,
/// links to the runs' records, and provenance. It needs no server and no other file except for those links. Throws
/// Error.
std::string results_page(const std::filesystem::path& experiments, const std::filesystem::path& out);

}  // namespace rfs
