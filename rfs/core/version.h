#pragma once

#include <string>

namespace rfs {

extern const std::string version;   ///< "0.1.0"
extern const std::string compiler;  ///< "GNU 12.2.0"
/// The commit this was built from, with "+changes" if the work tree had uncommitted changes.
std::string commit();

}  // namespace rfs
