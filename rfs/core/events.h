#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace rfs {

/// CRC-32C (Castagnoli), which guards the records of an event file.
uint32_t crc32c(std::string_view bytes);

/// A growing file of scalars by step that TensorBoard reads: events.out.tfevents.<unix seconds>.<host>.<pid>.rfs. Every
/// record is appended whole, in one write, so that a kill leaves at most the last one cut off.
class EventFile {
 public:
  /// Begins a new file in `folder`, later by name than those already there. Throws Error.
  explicit EventFile(const std::filesystem::path& folder);
  /// The same for a resumed run whose next step is `first_step`: what earlier files say of it and of later steps no
  /// longer counts.
  EventFile(const std::filesystem::path& folder, int64_t first_step);

  /// Adds a point, kept as float32. Throws Error.
  void add(int64_t step, std::string_view tag, double value) const;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace rfs
