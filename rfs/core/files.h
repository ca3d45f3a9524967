#pragma once

#include <filesystem>
#include <functional>
#include <ostream>
#include <string>
#include <string_view>

#include "rfs/core/error.h"

namespace rfs {

/// The whole file. Throws Error where it is missing, unreadable or too large for the memory that is left.
std::string read_file(const std::filesystem::path& path);

/// Opens a file for reading, for the caller to close. Throws Error where it is missing or unreadable, or where its end
/// may never come: a named pipe, a device. The unnamed pipes of a shell (/dev/stdin, <(...)) can be read.
int open_file(const std::filesystem::path& path);

/// What to throw where reading a file ends in std::bad_alloc.
Error too_little_memory(const std::filesystem::path& path);

/// Writes a file so that a reader sees the old content or the new, never a part: a temporary file beside it,
/// flushed to disk, then renamed, and the name flushed too. Makes missing folders. Throws Error and leaves nothing
/// behind on failure.
void write_file(const std::filesystem::path& path, std::string_view content);
void write_file(const std::filesystem::path& path, const std::function<void(std::ostream&)>& writer);

/// Adds to a file that grows (a log of records), in one write; on failure the file keeps its old size. Throws Error.
void append_file(const std::filesystem::path& path, std::string_view content);
void append_line(const std::filesystem::path& path, std::string_view line);

/// Makes sure that files can be written below `folder`, making it if need be, and removes what killed processes left in
/// it (rfs/core/temporary.h). Throws Error.
void require_writable(const std::filesystem::path& folder);

}  // namespace rfs
