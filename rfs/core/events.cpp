// Writes TensorFlow's record framing (TFRecord) and the few fields of its Event message that scalars need, in
// protobuf's wire format.

#include "rfs/core/events.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <chrono>
#include <cstring>

#include "rfs/core/files.h"
#include "rfs/core/format.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

static_assert(std::endian::native == std::endian::little, "event files are little-endian");

constexpr std::string_view prefix = "events.out.tfevents.";

constexpr auto crc_table = [] {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < table.size(); ++i) {
    table[i] = i;
    for (int bit = 0; bit < 8; ++bit) table[i] = (table[i] >> 1) ^ (table[i] & 1 ? 0x82F63B78u : 0);
  }
  return table;
}();

template <class T>
std::string bytes_of(T value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

// Protobuf: a field is a number and a wire type (0: varint, 1: eight bytes, 2: a length and that many bytes, 5: four
// bytes), followed by its value.
std::string varint(uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}
std::string integer(uint32_t field, int64_t value) {
  return varint(field << 3) + varint(static_cast<uint64_t>(value));
}
std::string number(uint32_t field, double value) {
  return varint(field << 3 | 1) + bytes_of(value);
}
std::string number(uint32_t field, float value) {
  return varint(field << 3 | 5) + bytes_of(value);
}
std::string text(uint32_t field, std::string_view value) {
  return varint(field << 3 | 2) + varint(value.size()) + std::string(value);
}

std::string framed(std::string_view data) {
  const auto masked = [](std::string_view bytes) { return bytes_of(std::rotr(crc32c(bytes), 15) + 0xA282EAD8u); };
  const std::string size = bytes_of(static_cast<uint64_t>(data.size()));
  return size + masked(size) + std::string(data) + masked(data);
}

/// An Event with the current time: wall_time = 1, step = 2 and one of file_version = 3, summary = 5, session_log = 7.
std::string event(int64_t step, const std::string& what) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return framed(number(1, std::chrono::duration<double>(now).count()) + integer(2, step) + what);
}

fs::path new_file(const fs::path& folder) {
  int64_t seconds =
      std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()).time_since_epoch().count();
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename();
    int64_t there = 0;
    if (!name.starts_with(prefix)) continue;
    std::from_chars(name.data() + prefix.size(), name.data() + name.size(), there);
    seconds = std::max(seconds, there + 1);
  }
  std::array<char, 256> host{};
  if (gethostname(host.data(), host.size() - 1) != 0) std::strcpy(host.data(), "localhost");
  return folder / rfs::format("{}{}.{}.{}.rfs", prefix, seconds, host.data(), getpid());
}

const std::string file_version = text(3, "brain.Event:2");
const std::string session_start = text(7, integer(1, 1));  // SessionLog: status = 1, START = 1

}  // namespace

uint32_t crc32c(std::string_view bytes) {
  uint32_t crc = ~0u;
  for (const char byte : bytes) crc = crc_table[(crc ^ static_cast<uint8_t>(byte)) & 0xFF] ^ (crc >> 8);
  return ~crc;
}

EventFile::EventFile(const fs::path& folder) : path_(new_file(folder)) {
  append_file(path_, event(0, file_version));
}

EventFile::EventFile(const fs::path& folder, int64_t first_step) : path_(new_file(folder)) {
  append_file(path_, event(0, file_version) + event(first_step, session_start));
}

void EventFile::add(int64_t step, std::string_view tag, double value) const {
  append_file(path_, event(step, text(5, text(1, text(1, tag) + number(2, static_cast<float>(value))))));
}

}  // namespace rfs
