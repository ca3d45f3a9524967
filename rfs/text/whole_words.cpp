#include "rfs/text/whole_words.h"

#include <algorithm>
#include <cctype>

#include "rfs/core/error.h"
#include "rfs/core/format.h"

namespace rfs {

std::vector<std::string> whole_words(const Tokenizer& tokenizer, const std::string& name,
                                     std::span<const std::string> pieces, int64_t count) {
  std::vector<std::string> words;
  for (const auto& piece : pieces) {
    if (static_cast<int64_t>(words.size()) == count) return words;
    if (piece.size() < 3 || piece[0] != ' ') continue;
    const std::string word = piece.substr(1);
    const bool letters = std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isalpha(c); });
    if (letters && tokenizer.encode(word).size() == 1) words.push_back(word);
  }
  if (static_cast<int64_t>(words.size()) < count) {
    throw Error(
        rfs::format("tokenizer {}: the vocabulary has {} words of one token, but this task needs {}; use fewer words",
                    name, words.size(), count));
  }
  return words;
}

}  // namespace rfs
