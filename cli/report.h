#pragma once

#include "rfs/run/report.h"

namespace rfs {

/// Prints a report's tables and where its files are.
void print_report(const RunReport& report);

}  // namespace rfs
