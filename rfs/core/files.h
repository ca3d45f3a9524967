#pragma once

#include <filesystem>
#include <functional>
#include <ostream>
#include <string>
#include <string_view>

namespace rfs {

/// The whole file. Throws Error where it is missing or unreadable.
std::string read_file(const std::filesystem::path& path);

/// Writes a file so that a reader sees the old content or the new, never a part: a temporary file beside it,
/// flushed to disk, then renamed, and the name flushed too. Makes missing folders. Throws Error and leaves nothing
/// behind on failure.
void write_file(const std::filesystem::path& path, std::string_view content);
void write_file(const std::filesystem::path& path, const std::function<void(std::ostream&)>& writer);

/// Adds to a file that grows (a log of records), in one write; on failure the file keeps its old size. Throws Error.
void append_file(const std::filesystem::path& path, std::string_view content);
void append_line(const std::filesystem::path& path, std::string_view line);

/// Removes the temporary files that a process left in `folder` when it was killed.
void remove_parts(const std::filesystem::path& folder);

/// Makes sure that files can be written below `folder`, making it if need be. Throws Error.
void require_writable(const std::filesystem::path& folder);

}  // namespace rfs
