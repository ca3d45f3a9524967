#pragma once

#include <algorithm>
#include <memory>
#include <string_view>
#include <tuple>
#include <utility>

namespace rfs {

/// GPT-2's pre-tokenizer. It splits a text into contractions, runs of letters, numbers or other characters (each with
/// an optional space before it), and white space.
class Gpt2Split {
 public:
  Gpt2Split();
  ~Gpt2Split();

  /// Calls `piece(part)` for each piece in order; together the pieces cover the text. A run of bytes that are not valid
  /// UTF-8 is one piece.
  template <class Piece>
  void operator()(std::string_view text, const Piece& piece) const {
    Match match(*this);
    for (size_t at = 0; at < text.size();) {
      size_t begin = at, end = ascii_end(text, at);
      if (end == 0) std::tie(begin, end) = match.next(text, at);
      if (begin > at) piece(text.substr(at, begin - at));
      if (end > begin) piece(text.substr(begin, end - begin));
      at = std::max(end, at + 1);
    }
  }

 private:
  struct Pattern;
  class Match {
   public:
    explicit Match(const Gpt2Split& split);
    ~Match();
    std::pair<size_t, size_t> next(std::string_view text, size_t at);

   private:
    const Pattern& pattern_;
    void* data_;
  };

  /// The end of the piece that begins at `at`, if ASCII characters decide it; else 0.
  static size_t ascii_end(std::string_view text, size_t at);

  std::unique_ptr<Pattern> pattern_;
};

}  // namespace rfs
