#pragma once

#include <string>

namespace rfs {

/// The shape of a preset of [model] in a few words, and its number of weights.
std::string preset_summary(const std::string& preset);
/// What a preset needs on a GPU: its exact numbers of weights, and the memory for a training pass. One fact per line.
std::string preset_details(const std::string& preset);

}  // namespace rfs
