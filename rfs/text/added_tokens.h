#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace rfs {

/// Finds added tokens, such as <|endoftext|>, in a text: the leftmost first, the longest of those.
class AddedTokens {
 public:
  struct Token {
    std::string content;
    int32_t id = 0;
    bool strips_left = false, strips_right = false;  ///< takes the white space beside it
  };
  void add(const Token& token);

  /// Calls `section(text, -1)` for what lies between added tokens, and `section(token, id)` for each of them.
  void split(std::string_view text, const std::function<void(std::string_view, int32_t)>& section) const;

 private:
  const Token* find(std::string_view text) const;
  std::array<std::vector<Token>, 256> by_first_byte_;  // the longest first
};

}  // namespace rfs
