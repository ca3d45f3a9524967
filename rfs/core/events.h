#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace rfs {

/// CRC-32C (Castagnoli), the checksum of records in an event file.
uint32_t crc32c(std::string_view bytes);

/// A file of scalars by step that TensorBoard reads: events.out.tfevents.<unix seconds>.<host>.<pid>.rfs. Each record
/// is appended in one write, so a killed process truncates at most the last record.
class EventFile {
 public:
  /// Starts a new file in `folder`, with a name that sorts after those already there. Throws Error.
  explicit EventFile(const std::filesystem::path& folder);
  /// The same for a resumed run whose next step is `first_step`. TensorBoard then ignores points of earlier files from
  /// that step on.
  EventFile(const std::filesystem::path& folder, int64_t first_step);

  /// Adds a point, kept as float32. Throws Error.
  void add(int64_t step, std::string_view tag, double value) const;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace rfs
