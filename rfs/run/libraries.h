#pragma once

#include <string>

#include "rfs/records/provenance.h"

namespace rfs {

/// What a record says of the libraries that made it.
Provenance libraries();

/// How many threads compute here and with which instructions, in words.
std::string processor_text();

}  // namespace rfs
