#include "rfs/corpus/sources.h"

#include <algorithm>

#include "rfs/core/error.h"
#include "rfs/core/format.h"

namespace rfs {
namespace fs = std::filesystem;

std::vector<CorpusPlan::Source> corpus_sources(const std::vector<std::string>& inputs, const fs::path& out) {
  std::vector<CorpusPlan::Source> all;
  const auto add = [&](const fs::path& file) {
    all.push_back({file.string(), static_cast<int64_t>(fs::file_size(file))});
  };
  for (const auto& input : inputs) {
    const bool is_file = fs::is_regular_file(input);
    if (!is_file && !fs::is_directory(input)) {
      throw Error(rfs::format("{}: no such file or folder", input));
    }
    if (is_file) {
      add(input);
      continue;
    }
    const auto way = out.lexically_relative(fs::absolute(input).lexically_normal());
    if (!way.empty() && *way.begin() != "..") {
      throw Error(rfs::format("OUT: {} is inside the input {}; choose a folder outside it", out.string(), input));
    }
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(input)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
    if (files.empty()) throw Error(rfs::format("{}: this folder is empty", input));
    std::sort(files.begin(), files.end());
    for (const auto& file : files) add(file);
  }
  return all;
}

}  // namespace rfs
