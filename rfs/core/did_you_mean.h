#pragma once

#include <span>
#include <string>
#include <string_view>

namespace rfs {

/// " (did you mean 'X'?)" with the closest known name; empty if none is close.
std::string did_you_mean(std::string_view given, std::span<const std::string> known);

}  // namespace rfs
