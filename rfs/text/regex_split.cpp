#define PCRE2_CODE_UNIT_WIDTH 8
#include "rfs/text/regex_split.h"

#include <pcre2.h>

#include <algorithm>

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/text/unicode_classes.h"

namespace rfs {
namespace {

/// The pattern with explicit classes for \s, \S, \p{L} and \p{N}.
std::string translated(const std::string& pattern, const std::string& where) {
  const auto fail = [&](const std::string& what) {
    return Error(rfs::format("{}: the split pattern has {}, which rfs does not support", where, what));
  };
  std::string out;
  bool in_class = false;
  for (size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c != '\\') {
      if (in_class && c == '[') throw fail("'[' inside a class");
      if (in_class && c == '&' && pattern.compare(i, 2, "&&") == 0) throw fail("'&&'");
      if (!in_class && (c == '$' || c == '^' || c == '.')) throw fail(rfs::format("'{}'", c));
      if (!in_class && c == '[') {
        in_class = true;
        out += c;
        if (i + 1 < pattern.size() && pattern[i + 1] == '^') out += pattern[++i];
        continue;
      }
      if (in_class && c == ']') in_class = false;
      out += c;
      continue;
    }
    const auto rest = std::string_view(pattern).substr(i);
    const auto add = [&](std::string_view name, std::string_view members, bool negated) {
      if (!rest.starts_with(name)) return false;
      if (in_class && negated) throw fail(rfs::format("{} inside a class", name));
      out += in_class ? std::string(members) : (negated ? "[^" : "[") + std::string(members) + "]";
      i += name.size() - 1;
      return true;
    };
    if (add("\\s", space_class, false) || add("\\S", space_class, true) || add("\\p{L}", letter_class, false) ||
        add("\\p{N}", number_class, false) || add("\\P{L}", letter_class, true) || add("\\P{N}", number_class, true)) {
      continue;
    }
    if (rest.size() < 2) throw fail("a backslash at its end");
    const char next = rest[1];
    const bool is_control = next == 'r' || next == 'n' || next == 't';
    const bool is_alphanumeric =
        (next >= '0' && next <= '9') || (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z');
    const bool is_property =
        (rest.starts_with("\\p{") || rest.starts_with("\\x{")) && rest.find('}') != std::string_view::npos;
    if (is_alphanumeric && !is_control && !is_property) throw fail(rfs::format("'\\{}'", next));
    if (static_cast<unsigned char>(next) >= 0x80) throw fail("an escaped character outside ASCII");
    const size_t length = is_property ? rest.find('}') + 1 : 2;
    out += rest.substr(0, length);
    i += length - 1;
  }
  return out;
}

}  // namespace

struct RegexSplit::Pattern {
  pcre2_code* code = nullptr;
  std::string where;
  ~Pattern() { pcre2_code_free(code); }
};

RegexSplit::RegexSplit(const std::string& pattern, const std::string& where) : pattern_(std::make_unique<Pattern>()) {
  if (pattern.size() > 10'000) throw Error(where + ": the split pattern has more than 10,000 characters");
  const std::string source = translated(pattern, where);
  int error = 0;
  PCRE2_SIZE place = 0;
  pattern_->where = where;
  pattern_->code =
      pcre2_compile(reinterpret_cast<PCRE2_SPTR>(source.data()), source.size(),
                    PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C, &error, &place, nullptr);
  if (!pattern_->code) {
    std::string message(256, '\0');
    const int size = pcre2_get_error_message(error, reinterpret_cast<PCRE2_UCHAR*>(message.data()), message.size());
    message.resize(static_cast<size_t>(std::max(size, 0)));
    throw Error(rfs::format("{}: the split pattern does not compile: {}", where, message));
  }
  pcre2_jit_compile(pattern_->code, PCRE2_JIT_COMPLETE);  // without JIT support, matching is only slower
}

RegexSplit::~RegexSplit() = default;

void RegexSplit::operator()(std::string_view text, const std::function<void(std::string_view)>& piece) const {
  const std::unique_ptr<pcre2_match_data, void (*)(pcre2_match_data*)> data(pcre2_match_data_create(1, nullptr),
                                                                            pcre2_match_data_free);
  const auto subject = reinterpret_cast<PCRE2_SPTR>(text.data());
  size_t done = 0;
  for (size_t at = 0; at < text.size();) {
    int result = pcre2_match(pattern_->code, subject, text.size(), at, 0, data.get(), nullptr);
    if (result == PCRE2_ERROR_JIT_STACKLIMIT) {
      result = pcre2_match(pattern_->code, subject, text.size(), at, PCRE2_NO_JIT, data.get(), nullptr);
    }
    if (result == PCRE2_ERROR_NOMATCH) break;
    if (result < 0) {
      throw Error(rfs::format("{}: the split pattern needs too much time or memory for a text of {} bytes",
                              pattern_->where, text.size()));
    }
    const PCRE2_SIZE* range = pcre2_get_ovector_pointer(data.get());
    const size_t begin = range[0], end = range[1];
    if (end <= begin || begin < done) {  // an empty match
      at = std::max(at, end) + 1;
      continue;
    }
    if (begin > done) piece(text.substr(done, begin - done));
    piece(text.substr(begin, end - begin));
    done = at = end;
  }
  if (done < text.size()) piece(text.substr(done));
}

}  // namespace rfs
