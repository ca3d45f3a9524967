#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace rfs {

/// Splits a text at the matches of a regular expression of a tokenizer.json. Matches and what lies between them are
/// pieces ("Isolated"). White space, letters and numbers are those of Unicode 16.
class RegexSplit {
 public:
  /// Throws Error that starts with `where` for a pattern that does not compile, or with a construct that Oniguruma
  /// (used by the Python package) and PCRE2 read differently.
  RegexSplit(const std::string& pattern, const std::string& where);
  ~RegexSplit();

  /// Calls `piece(part)` for each piece in order; together the pieces cover the text.
  void operator()(std::string_view text, const std::function<void(std::string_view)>& piece) const;

 private:
  struct Pattern;
  std::unique_ptr<Pattern> pattern_;
};

}  // namespace rfs
