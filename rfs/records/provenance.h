#pragma once

#include <map>
#include <string>

namespace rfs {

/// Where a result comes from: version, commit, compiler, machine, cores, date, command, and the entries of `more`.
using Provenance = std::map<std::string, std::string>;
/// The entries for this process.
Provenance provenance(const std::string& command, const Provenance& more = {});

}  // namespace rfs
