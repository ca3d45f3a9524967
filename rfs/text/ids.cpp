#include <charconv>

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/text/special_ids.h"
#include "rfs/text/tokenizer.h"

namespace rfs {
namespace {

/// Texts are ids, written as numbers between spaces. It replaces the tokenizer of a data file on a machine that does
/// not have that tokenizer: the file's ids are used as they are.
class Ids : public Tokenizer {
 public:
  struct Options : rfs::Options {
    Field<int64_t> size{this, "size", 32'128, "number of ids (T5's by default)", between<int64_t>(2, 1 << 30)};
    Field<int64_t> end{this, "end", 1, "the id that ends a text", between<int64_t>(0, 1 << 30)};
    SpecialIds special{this};
  };
  explicit Ids(const Options& options)
      : size_(options.size), end_(static_cast<int32_t>(*options.end)), special_(options.special) {
    if (end_ >= size_) throw Error(rfs::format("tokenizer.end: must be below tokenizer.size, {}, got {}", size_, end_));
    special_.require_below(size_);
  }

  std::vector<int32_t> encode(std::string_view text) const override {
    std::vector<int32_t> ids;
    constexpr const char* space = " \t\r\n\v\f";
    for (size_t begin = 0; (begin = text.find_first_not_of(space, begin)) != std::string_view::npos;) {
      const std::string_view word = text.substr(begin, text.find_first_of(space, begin) - begin);
      begin += word.size();
      int32_t id = -1;
      const auto [last, error] = std::from_chars(word.data(), word.data() + word.size(), id);
      if (error != std::errc() || last != word.data() + word.size() || id < 0 || id >= size_) {
        throw Error(
            rfs::format("tokenizer ids: texts must be ids below {}, got '{}'; for other texts, make the data with rfs "
                        "data make and their tokenizer",
                        size_, shortened(word)));
      }
      ids.push_back(id);
    }
    return ids;
  }

  std::string decode(std::span<const int32_t> ids) const override { return joined(ids, " "); }

  int64_t size() const override { return size_; }
  int32_t end() const override { return end_; }
  std::vector<int32_t> ends() const override { return special_.ends(end_); }
  int32_t begin() const override { return static_cast<int32_t>(*special_.begin); }
  int32_t pad() const override { return static_cast<int32_t>(*special_.pad); }
  bool takes_any_ids() const override { return true; }

  std::vector<std::string> words(int64_t count) const override {
    if (count > size_ - 1) {
      throw Error(
          rfs::format("tokenizer ids: this task needs {} ids besides the end token, got {}; increase tokenizer.size",
                      count, size_ - 1));
    }
    std::vector<std::string> words;
    for (int64_t id = 0; static_cast<int64_t>(words.size()) < count; ++id) {
      if (id != end_) words.push_back(std::to_string(id));
    }
    return words;
  }

 private:
  int64_t size_;
  int32_t end_;
  SpecialIds special_;
};

const bool registered =
    Registry<Tokenizer>::add<Ids>("ids written as numbers; for data files whose tokenizer is not available");

}  // namespace
}  // namespace rfs
