#include <unordered_map>

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/text/tokenizer.h"

namespace rfs {
namespace {

/// One id per space-separated word; needs no file. The vocabulary is `</s>`, `<unk>`, the task's words and as many
/// generated names as it needs: a .. z, then syllables (ba, be, ... zuzu).
class Words : public Tokenizer {
 public:
  using Options = NoOptions;
  explicit Words(const Options&) {
    add("</s>");
    add("<unk>");
  }

  void learn(const Vocabulary& vocabulary) override {
    for (const auto& word : vocabulary.fixed) add(word);
    for (int64_t i = 0; static_cast<int64_t>(names_.size()) < vocabulary.names; ++i) {
      if (add(name(i))) names_.push_back(name(i));
    }
  }

  std::vector<int32_t> encode(std::string_view text) const override {
    constexpr std::string_view end_word = "</s>";
    std::vector<int32_t> ids;
    for (size_t begin = 0; (begin = text.find_first_not_of(' ', begin)) != std::string_view::npos;) {
      std::string_view word = text.substr(begin, text.find(' ', begin) - begin);
      begin += word.size();
      const bool ends = word.size() > end_word.size() && word.ends_with(end_word);
      if (ends) word.remove_suffix(end_word.size());
      const auto it = ids_.find(std::string(word));
      ids.push_back(it == ids_.end() ? 1 : it->second);
      if (ends) ids.push_back(end());
    }
    return ids;
  }

  std::string decode(std::span<const int32_t> ids) const override {
    std::string text;
    for (const int32_t id : ids) {
      if (!text.empty() && id != end()) text += ' ';
      text += id >= 0 && id < size() ? words_[static_cast<size_t>(id)] : words_[1];
    }
    return text;
  }

  int64_t size() const override { return static_cast<int64_t>(words_.size()); }
  int32_t end() const override { return 0; }

  std::vector<std::string> words(int64_t count) const override {
    if (count > static_cast<int64_t>(names_.size())) {
      throw Error(
          rfs::format("tokenizer words: this task needs {} names, but its vocabulary has {}", count, names_.size()));
    }
    return {names_.begin(), names_.begin() + count};
  }

 private:
  bool add(const std::string& word) {
    if (!ids_.emplace(word, static_cast<int32_t>(words_.size())).second) return false;
    words_.push_back(word);
    return true;
  }

  static std::string name(int64_t index) {
    if (index < 26) return std::string(1, static_cast<char>('a' + index));
    constexpr std::string_view consonants = "bcdfghjklmnprstvwz", vowels = "aeiou";
    constexpr auto syllables = static_cast<int64_t>(consonants.size() * vowels.size());
    std::string text;
    for (int64_t rest = index - 26; rest >= 0; rest = rest / syllables - 1) {
      const auto syllable = static_cast<size_t>(rest % syllables);
      text = std::string{consonants[syllable / vowels.size()], vowels[syllable % vowels.size()]} + text;
    }
    return text;
  }

  std::unordered_map<std::string, int32_t> ids_;
  std::vector<std::string> words_;
  std::vector<std::string> names_;
};

const bool registered = Registry<Tokenizer>::add<Words>("one id per word, built in, needs no file");

}  // namespace
}  // namespace rfs
