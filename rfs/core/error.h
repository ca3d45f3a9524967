#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace rfs {

/// A user's mistake, reported in one line: where, what is wrong, what to do. For a value: `where: must RULE, got
/// VALUE`, followed by the known names if there is a fixed set.
/// The program prints it and exits with code 2. If a line is longer than `longest` bytes, its middle is cut out.
class Error : public std::runtime_error {
 public:
  static constexpr size_t longest = 4096;

  explicit Error(const std::string& line);  ///< `line` is the message
};

/// Joins words for messages: "a, b, c".
std::string join(std::span<const std::string> words, std::string_view separator = ", ");

/// "unknown KIND 'GIVEN' (did you mean 'X'?); known: a, b, c". The hint appears only if a known name is close.
std::string unknown(std::string_view kind, std::string_view given, std::span<const std::string> known);

/// Replaces control characters with '?': user input may contain some, and a message is one line.
std::string one_line(std::string text);

/// User input as messages quote it: on one line, cut after the first characters if it is long.
std::string shortened(std::string_view text);

/// The first line of an exception's text; the rest is for debuggers.
inline std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

/// An error message of the JSON library without its internal prefix: "key 'steps' not found".
std::string said_by_json(std::string_view what);

}  // namespace rfs
