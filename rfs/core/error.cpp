#include "rfs/core/error.h"

#include <algorithm>

#include "rfs/core/did_you_mean.h"
#include "rfs/core/format.h"

namespace rfs {
namespace {

/// The first `size` bytes of a text, without an incomplete UTF-8 character at the end.
std::string_view first_bytes(std::string_view text, size_t size) {
  if (text.size() <= size) return text;
  const auto continues = [&](size_t at) { return (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80; };
  size_t end = size;
  while (end > 0 && size - end < 4 && continues(end)) --end;
  return text.substr(0, continues(end) ? size : end);
}

std::string without_middle(const std::string& line) {
  if (line.size() <= Error::longest) return line;
  constexpr size_t tail = Error::longest / 4;
  const auto end = std::string_view(line).substr(line.size() - tail);
  return rfs::format("{} ... {}", first_bytes(line, Error::longest - tail - 5), end);
}

}  // namespace

Error::Error(const std::string& line) : std::runtime_error(without_middle(line)) {}

std::string join(std::span<const std::string> words, std::string_view separator) {
  return joined(words, separator);
}

std::string unknown(std::string_view kind, std::string_view given, std::span<const std::string> known) {
  return rfs::format("unknown {} '{}'{}; known: {}", kind, shortened(given), did_you_mean(given, known), join(known));
}

std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
  return text;
}

std::string shortened(std::string_view text) {
  constexpr size_t most = 80;
  return one_line(std::string(first_bytes(text, most))) + (text.size() > most ? "..." : "");
}

std::string said_by_json(std::string_view what) {
  const auto end = what.starts_with("[json.exception") ? what.find("] ") : std::string_view::npos;
  return std::string(end == std::string_view::npos ? what : what.substr(end + 2));
}

}  // namespace rfs
