#define PCRE2_CODE_UNIT_WIDTH 8
#include "rfs/text/gpt2_split.h"

#include <pcre2.h>

#include <array>
#include <stdexcept>
#include <string>

#include "rfs/core/format.h"
#include "rfs/text/unicode_classes.h"

namespace rfs {
namespace {

std::string split_pattern() {
  const std::string space(space_class), letter(letter_class), number(number_class);
  return "'(?:[sdmt]|ll|ve|re)| ?[" + letter + "]++| ?[" + number + "]++| ?[^" + space + letter + number + "]++|[" +
         space + "]++\\z|[" + space + "]+(?![^" + space + "])|[" + space + "]";
}

enum Kind : unsigned char { letter, number, sign, space, not_ascii };

constexpr std::array<Kind, 256> kinds = [] {
  std::array<Kind, 256> all{};
  for (size_t c = 0; c < 256; ++c) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool is_space = c == ' ' || (c >= 9 && c <= 13);
    all[c] = c >= 128 ? not_ascii : is_letter ? letter : c >= '0' && c <= '9' ? number : is_space ? space : sign;
  }
  return all;
}();

Kind kind(char c) {
  return kinds[static_cast<unsigned char>(c)];
}

}  // namespace

struct Gpt2Split::Pattern {
  pcre2_code* code = nullptr;
  ~Pattern() { pcre2_code_free(code); }
};

Gpt2Split::Gpt2Split() : pattern_(std::make_unique<Pattern>()) {
  int error = 0;
  PCRE2_SIZE place = 0;
  const std::string source = split_pattern();
  pattern_->code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(source.data()), source.size(),
                                 PCRE2_UTF | PCRE2_MATCH_INVALID_UTF, &error, &place, nullptr);
  if (!pattern_->code) {
    throw std::logic_error(rfs::format("gpt2: the split pattern does not compile: {} at {}", error, place));
  }
  pcre2_jit_compile(pattern_->code, PCRE2_JIT_COMPLETE);  // without JIT support, matching is only slower
}

Gpt2Split::~Gpt2Split() = default;

Gpt2Split::Match::Match(const Gpt2Split& split)
    : pattern_(*split.pattern_), data_(pcre2_match_data_create(1, nullptr)) {}

Gpt2Split::Match::~Match() {
  pcre2_match_data_free(static_cast<pcre2_match_data*>(data_));
}

std::pair<size_t, size_t> Gpt2Split::Match::next(std::string_view text, size_t at) {
  auto* data = static_cast<pcre2_match_data*>(data_);
  const auto subject = reinterpret_cast<PCRE2_SPTR>(text.data());
  if (pcre2_match(pattern_.code, subject, text.size(), at, 0, data, nullptr) < 0) return {text.size(), text.size()};
  const PCRE2_SIZE* range = pcre2_get_ovector_pointer(data);
  return {range[0], range[1]};
}

// The pattern's alternatives in order, written by hand. Before a byte above 127 a run may continue, so PCRE2 decides.
size_t Gpt2Split::ascii_end(std::string_view text, size_t at) {
  const size_t size = text.size();
  if (text[at] == '\'' && at + 1 < size) {
    const char next = text[at + 1], after = at + 2 < size ? text[at + 2] : '\0';
    if (next == 's' || next == 'd' || next == 'm' || next == 't') return at + 2;
    if ((next == 'l' && after == 'l') || (next == 'v' && after == 'e') || (next == 'r' && after == 'e')) return at + 3;
  }
  const bool space_before = text[at] == ' ' && at + 1 < size && kind(text[at + 1]) != space;
  const size_t begin = space_before ? at + 1 : at;
  const Kind run = kind(text[begin]);
  if (run == not_ascii) return 0;
  size_t end = begin + 1;
  while (end < size && kind(text[end]) == run) ++end;
  if (end == size) return end;
  if (kind(text[end]) == not_ascii) return 0;
  // A run of white space leaves its last character to the next piece.
  return run == space && end - begin > 1 ? end - 1 : end;
}

}  // namespace rfs
