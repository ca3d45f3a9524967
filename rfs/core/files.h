#pragma once

#include <filesystem>
#include <functional>
#include <ostream>
#include <string>
#include <string_view>

#include "rfs/core/error.h"

namespace rfs {

/// Reads the whole file. Throws Error if it is missing, unreadable or too large for the available memory.
std::string read_file(const std::filesystem::path& path);

/// Opens a file for reading; the caller closes it. Throws Error if it is missing, unreadable, or may never end (a named
/// pipe or a device). A shell's unnamed pipes (/dev/stdin, <(...)) can be read.
int open_file(const std::filesystem::path& path);

/// The error to throw if reading a file ends in std::bad_alloc.
Error too_little_memory(const std::filesystem::path& path);

/// Writes a file atomically: readers see the old content or the new, never a mix. It writes a temporary file next to
/// the target, flushes it to disk, renames it and flushes the folder. Creates missing folders. On failure, throws Error
/// and leaves no temporary file.
void write_file(const std::filesystem::path& path, std::string_view content);
void write_file(const std::filesystem::path& path, const std::function<void(std::ostream&)>& writer);

/// Appends to a growing file (a log of records) in one write; on failure the file keeps its old size. Throws Error.
void append_file(const std::filesystem::path& path, std::string_view content);
void append_line(const std::filesystem::path& path, std::string_view line);

/// Checks that files can be written in `folder`, creating it if needed, and removes temporary files of killed processes
/// from it (rfs/core/temporary.h). Throws Error.
void require_writable(const std::filesystem::path& folder);

}  // namespace rfs
