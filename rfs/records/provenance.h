#pragma once

#include <map>
#include <string>

namespace rfs {

/// Where a number comes from: version, commit, compiler, machine, cores, date, command. `more` is added to it.
using Provenance = std::map<std::string, std::string>;
Provenance provenance(const std::string& command, const Provenance& more = {});

}  // namespace rfs
