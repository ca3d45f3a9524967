#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/text/tokenizer.h"

namespace rfs {
namespace {

/// Each byte is an id, and 256 ends a text. Needs no files; for small language models on any text.
class ByteTokenizer : public Tokenizer {
 public:
  using Options = NoOptions;
  explicit ByteTokenizer(const Options&) {}

  std::vector<int32_t> encode(std::string_view text) const override {
    std::vector<int32_t> ids;
    for (const char c : text) ids.push_back(static_cast<unsigned char>(c));
    return ids;
  }
  std::string decode(std::span<const int32_t> ids) const override {
    std::string text;
    for (const int32_t id : ids) {
      if (id >= 0 && id < 256) text += static_cast<char>(id);
    }
    return text;
  }
  int64_t size() const override { return 257; }
  int32_t end() const override { return 256; }
  std::vector<std::string> words(int64_t count) const override {
    throw Error(rfs::format(
        "tokenizer bytes: it is for corpora and has no words, but this task needs {}; choose another tokenizer",
        count));
  }
};

const bool registered = Registry<Tokenizer>::add<ByteTokenizer>("one id per byte; for corpora, needs no files");

}  // namespace
}  // namespace rfs
