#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <string>
#include <utility>

namespace rfs {

/// Reads a record file and passes its text to `parse`. A JSON exception from `parse` becomes an Error that names the
/// file.
void read_record(const std::filesystem::path& file, const std::function<void(const std::string& text)>& parse);

/// Throws Error if a count is negative or above 2^53, which no run reaches; `where` names the file.
void require_counts(const std::string& where, std::initializer_list<std::pair<const char*, int64_t>> counts);

}  // namespace rfs
