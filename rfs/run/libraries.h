#pragma once

#include <string>

#include "rfs/records/provenance.h"

namespace rfs {

/// Versions and settings of the libraries, for a record.
Provenance libraries();

/// Number of threads and instruction set, as text.
std::string processor_text();

}  // namespace rfs
