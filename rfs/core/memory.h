#pragma once

namespace rfs {

/// For programs that train: tells malloc to keep freed blocks instead of handing them back to the system, so that each
/// step does not fault the same pages in again. Does nothing where the C library has no such switch.
void keep_freed_memory();

/// Bytes of this machine's memory.
double machine_memory();

}  // namespace rfs
