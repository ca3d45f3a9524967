#include "rfs/core/words.h"

#include <algorithm>
#include <cmath>

#include "rfs/core/format.h"

namespace rfs {

std::string duration_text(double seconds) {
  const auto whole = static_cast<long>(std::max(0.0, std::round(seconds)));
  if (whole < 60) return rfs::format("{} s", whole);
  if (whole < 3600) return rfs::format("{} min {} s", whole / 60, whole % 60);
  return rfs::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string count_text(double value) {
  if (value < 1e3) return rfs::format("{:.0f}", value);
  if (value < 1e6) return rfs::format("{:.1f} k", value / 1e3);
  return rfs::format("{:.2f} M", value / 1e6);
}

std::string bytes_text(double bytes) {
  return bytes < 1e9 ? rfs::format("{:.0f} MB", bytes / 1e6) : rfs::format("{:.1f} GB", bytes / 1e9);
}

std::string shell_word(const std::string& word) {
  constexpr auto plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%^";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

}  // namespace rfs
