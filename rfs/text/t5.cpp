#include <sentencepiece_processor.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "rfs/core/data_files.h"
#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/text/tokenizer.h"

// SentencePiece and LibTorch both export a variable of this name, with 32 and 4 bytes. The loader binds both to the
// first one it finds. If that is LibTorch's, SentencePiece overwrites the flags behind it, and a failed allocation
// aborts instead of throwing. The loader finds this variable first, and it is large enough for both.
extern "C" {
alignas(64) char FLAGS_minloglevel[64];
}

namespace rfs {
namespace {

constexpr int64_t sentinels = 100;       // <extra_id_0> is the highest id
constexpr int64_t padded_rows = 32'128;  // T5's embedding: 32,000 pieces, 100 sentinels, padded to a multiple of 128

// Kazemnejad et al. 2023: 39 of these are a single piece.
constexpr std::string_view ascii_candidates =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!$%&()*+,-./:;<=>?";

/// T5's SentencePiece model. `</s>` is 1, `<unk>` 2, `<pad>` 0.
class T5 : public Tokenizer {
 public:
  struct Options : rfs::Options {
    Field<std::string> file{this, "file", "", "T5's spiece.model; empty: t5/spiece.model in the data folder"};
  };
  explicit T5(const Options& options) {
    const auto path =
        find_data_file({"t5/spiece.model", "published with t5-base on huggingface.co", "tokenizer.file"}, options.file);
    const auto status = pieces_.LoadFromSerializedProto(read_file(path));
    if (!status.ok()) {
      throw Error(rfs::format("{}: must be a SentencePiece model, got {}", path.string(),
                              std::string(status.error_message()).substr(0, 200)));
    }
    if (pieces_.eos_id() < 0)
      throw Error(
          rfs::format("{}: this SentencePiece model has no end-of-text token; use T5's spiece.model", path.string()));
  }

  std::vector<int32_t> encode(std::string_view text) const override {
    std::vector<int> ids;
    const auto status = pieces_.Encode(text, &ids);
    if (!status.ok()) throw Error("tokenizer t5: " + std::string(status.error_message()));
    return {ids.begin(), ids.end()};
  }

  std::string decode(std::span<const int32_t> ids) const override {
    std::string text;
    std::vector<int> run;
    const auto flush = [&] {
      std::string part;
      const auto status = pieces_.Decode(run, &part);
      if (!status.ok()) throw Error("tokenizer t5: " + std::string(status.error_message()));
      text += (text.empty() || part.empty() ? "" : " ") + part;
      run.clear();
    };
    for (const int32_t id : ids) {
      if (id >= 0 && id < pieces_.GetPieceSize()) {
        run.push_back(id);
        continue;
      }
      flush();
      const int64_t sentinel = pieces_.GetPieceSize() + sentinels - 1 - id;
      const bool known = sentinel >= 0 && sentinel < sentinels;
      text += (text.empty() ? "" : " ") + (known ? rfs::format("<extra_id_{}>", sentinel) : std::string("<unk>"));
    }
    flush();
    return text;
  }

  int64_t size() const override { return std::max<int64_t>(padded_rows, pieces_.GetPieceSize() + sentinels); }
  int32_t end() const override { return pieces_.eos_id(); }

  /// First the ASCII candidates, then whole-word pieces in the order of their ids. A word repeated ten times must give
  /// the same single id ten times.
  std::vector<std::string> words(int64_t count) const override {
    std::vector<std::string> words;
    std::set<std::string> seen;
    const auto consider = [&](const std::string& word) {
      if (static_cast<int64_t>(words.size()) == count || seen.contains(word) || !is_word(word)) return;
      seen.insert(word);
      words.push_back(word);
    };
    for (const char c : ascii_candidates) consider(std::string(1, c));
    const std::string mark = "▁";
    for (int id = 0; id < pieces_.GetPieceSize() && static_cast<int64_t>(words.size()) < count; ++id) {
      const std::string& piece = pieces_.IdToPiece(id);
      if (!piece.starts_with(mark) || piece.size() < mark.size() + 2) continue;
      const std::string word = piece.substr(mark.size());
      if (std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isalpha(c); })) consider(word);
    }
    if (static_cast<int64_t>(words.size()) < count) {
      throw Error(
          rfs::format("tokenizer t5: the vocabulary has {} words of one token, but this task needs {}; use fewer words",
                      words.size(), count));
    }
    return words;
  }

 private:
  bool is_word(const std::string& word) const {
    std::string text = word;
    for (int i = 1; i < 10; ++i) text += " " + word;
    const auto ids = encode(text);
    return ids.size() == 10 && std::count(ids.begin(), ids.end(), ids.front()) == 10 && ids.front() != pieces_.unk_id();
  }

  sentencepiece::SentencePieceProcessor pieces_;
};

const bool registered = Registry<Tokenizer>::add<T5>("T5's SentencePiece pieces (needs spiece.model)");

}  // namespace
}  // namespace rfs
