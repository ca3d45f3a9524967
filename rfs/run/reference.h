#pragma once

#include <string>

namespace rfs {

/// Every setting with its default and meaning, as a Markdown page.
std::string settings_reference();

}  // namespace rfs
