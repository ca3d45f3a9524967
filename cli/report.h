#pragma once

#include "rfs/run/report.h"

namespace rfs {

/// Prints a report's tables and the paths of its files.
void print_report(const RunReport& report);

}  // namespace rfs
