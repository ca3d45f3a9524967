#pragma once

#include <optional>
#include <string>

#include "rfs/run/events.h"

namespace rfs {

/// The text to continue: as given, from a file, or else from standard input. A line break at its end is dropped. Throws
/// Error where both are given or the user stops the program meanwhile.
std::string read_prompt(const std::optional<std::string>& given, const std::string& file, const RunContext& context);

}  // namespace rfs
