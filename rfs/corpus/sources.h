#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "rfs/corpus/manifest.h"

namespace rfs {

/// The files of some inputs, for a corpus in `out`: a folder stands for those below it, by name. Throws Error where an
/// input is not there or the corpus would lie in it.
std::vector<CorpusPlan::Source> corpus_sources(const std::vector<std::string>& inputs,
                                               const std::filesystem::path& out);

}  // namespace rfs
