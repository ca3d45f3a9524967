#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace rfs {

/// What a tokenizer.json says, checked: a BPE of one of two kinds and what surrounds it.
struct TokenizerJson {
  enum class Kind {
    byte_level,     ///< tokens are written in byte characters; the text is split by patterns
    sentence_piece  ///< tokens are characters, spaces are U+2581, and other characters are their bytes (<0x0A>)
  } kind = Kind::byte_level;

  struct Added {
    std::string content;
    int32_t id = 0;
    bool normalized = false, strips_left = false, strips_right = false;
    bool special = false;  ///< not part of the text, such as the end of text
  };
  struct NormalizerStep {
    enum class Kind { nfc, prepend, replace } kind = Kind::nfc;
    std::string text, by;  ///< what is prepended; what is replaced, and by what
  };
  struct Split {
    enum class Kind { pattern, gpt2 } kind = Kind::pattern;
    std::string pattern;
  };
  enum class Prepend { never, first, always };
  static const std::string one_digit;  ///< the pattern of a split into single digits

  std::vector<Added> added;
  std::vector<NormalizerStep> normalizer;
  std::vector<Split> splits;         ///< byte_level: one after the other
  bool metaspace = false;            ///< sentence_piece: spaces become U+2581 after the normalizer ...
  Prepend prepend = Prepend::never;  ///< ... with one before the text
  bool splits_words = false;         ///< ... and each begins a word
  bool strips_first_space = false;   ///< in decoding
  bool ignore_merges = false;        ///< a piece that is a token is that token
  std::vector<std::pair<std::string, int32_t>> vocabulary;
  std::vector<std::pair<std::string, std::string>> merges;

  /// Throws Error that starts with `path` for a file that is malformed or of another kind.
  static TokenizerJson read(const std::string& path);
};

}  // namespace rfs
