#pragma once

#include <optional>
#include <string>

#include "rfs/run/events.h"

namespace rfs {

/// The text to continue: the given text, a file's content, or standard input. A final line break is removed. Throws
/// Error if both are given, or if the user stops the program during reading.
std::string read_prompt(const std::optional<std::string>& given, const std::string& file, const RunContext& context);

}  // namespace rfs
