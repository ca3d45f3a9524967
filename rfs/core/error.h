#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace rfs {

/// A user's mistake, told in one line: `where: rule, got value` and, where there is a choice, the known ones.
/// The program prints it and exits with code 2. A line longer than `longest` bytes loses its middle.
class Error : public std::runtime_error {
 public:
  static constexpr size_t longest = 4096;

  explicit Error(const std::string& line);
};

/// "a, b, c", for messages.
std::string join(std::span<const std::string> words, std::string_view separator = ", ");

/// "unknown KIND 'GIVEN' (did you mean 'X'?); known: a, b, c". The hint appears only when a name is close.
std::string unknown(std::string_view kind, std::string_view given, std::span<const std::string> known);

/// A text with '?' for control characters: what a user gave may have some, and a message is one line.
std::string one_line(std::string text);

/// A user's text as a message quotes it: on one line, and its first characters alone where it is long.
std::string shortened(std::string_view text);

/// The first line of a message; the rest is for debuggers.
inline std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

/// What a JSON library says was wrong, without its own name for it: "key 'steps' not found".
std::string said_by_json(std::string_view what);

}  // namespace rfs
