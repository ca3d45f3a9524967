#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "rfs/corpus/manifest.h"

namespace rfs {

/// The source files for a corpus in `out`. A folder stands for all files below it, sorted by name. Throws Error if an
/// input does not exist or contains `out`.
std::vector<CorpusPlan::Source> corpus_sources(const std::vector<std::string>& inputs,
                                               const std::filesystem::path& out);

}  // namespace rfs
