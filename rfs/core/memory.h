#pragma once

namespace rfs {

/// For programs that train: tells malloc to keep freed blocks instead of returning them to the system, so that training
/// steps do not page-fault the same memory in again. Does nothing if the C library is not glibc.
void keep_freed_memory();

/// Physical memory of this machine in bytes.
double machine_memory();

}  // namespace rfs
