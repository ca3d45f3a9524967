#include "rfs/text/added_tokens.h"

#include <algorithm>

#include "rfs/text/unicode.h"

namespace rfs {
namespace {

/// Unicode's White_Space; Python's str.isspace also has the separators U+001C to U+001F.
bool is_white_space(std::string_view character) {
  const bool is_separator = character.size() == 1 && character[0] >= 0x1c && character[0] <= 0x1f;
  return !is_separator && stripped(character).empty();
}

/// The end of the white space that begins at `at`.
size_t space_end(std::string_view text, size_t at) {
  while (at < text.size()) {
    size_t next = at;
    if (!next_code_point(text, next) || !is_white_space(text.substr(at, next - at))) break;
    at = next;
  }
  return at;
}

/// The begin of the white space that ends at `at`, at least `least`.
size_t space_begin(std::string_view text, size_t at, size_t least) {
  while (at > least) {
    size_t begin = at - 1;
    while (begin > least && (static_cast<unsigned char>(text[begin]) & 0xc0) == 0x80) --begin;
    if (!is_white_space(text.substr(begin, at - begin))) break;
    at = begin;
  }
  return at;
}

}  // namespace

void AddedTokens::add(const Token& token) {
  auto& bucket = by_first_byte_[static_cast<unsigned char>(token.content[0])];
  bucket.insert(std::find_if(bucket.begin(), bucket.end(),
                             [&](const Token& other) { return other.content.size() < token.content.size(); }),
                token);
}

const AddedTokens::Token* AddedTokens::find(std::string_view text) const {
  for (const Token& token : by_first_byte_[static_cast<unsigned char>(text[0])]) {
    if (text.starts_with(token.content)) return &token;
  }
  return nullptr;
}

void AddedTokens::split(std::string_view text, const std::function<void(std::string_view, int32_t)>& section) const {
  size_t done = 0;
  for (size_t at = 0; at < text.size();) {
    const Token* token = find(text.substr(at));
    if (!token) {
      ++at;
      continue;
    }
    const size_t begin = token->strips_left ? space_begin(text, at, done) : at;
    size_t end = at + token->content.size();
    if (token->strips_right) end = space_end(text, end);
    if (begin > done) section(text.substr(done, begin - done), -1);
    section(text.substr(begin, end - begin), token->id);
    done = at = end;
  }
  if (done < text.size()) section(text.substr(done), -1);
}

}  // namespace rfs
