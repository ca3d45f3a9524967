#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_map>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/text/added_tokens.h"
#include "rfs/text/bpe_merges.h"
#include "rfs/text/byte_characters.h"
#include "rfs/text/gpt2_split.h"
#include "rfs/text/nfc.h"
#include "rfs/text/regex_split.h"
#include "rfs/text/special_ids.h"
#include "rfs/text/tokenizer.h"
#include "rfs/text/tokenizer_json.h"
#include "rfs/text/unicode.h"
#include "rfs/text/whole_words.h"

namespace rfs {
namespace {

const std::string mark = "\u2581";  // SentencePiece's space

std::string replaced(const std::string& text, const std::string& what, const std::string& by) {
  std::string out;
  size_t done = 0;
  for (size_t at; (at = text.find(what, done)) != std::string::npos; done = at + what.size()) {
    out.append(text, done, at - done).append(by);
  }
  return out.append(text, done);
}

struct StringHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

/// A tokenizer.json of the Python package `tokenizers`. Like there, added tokens inside a text become their ids. It
/// adds no tokens (no beginning-of-text token).
class Hf : public Tokenizer {
 public:
  struct Options : rfs::Options {
    Field<std::string> file{this, "file", "tokenizer.json", "a tokenizer.json with a BPE"};
    Field<int64_t> end{this, "end", -1,
                       "id of the end-of-text token; -1: eos_token of the tokenizer_config.json beside it",
                       at_least<int64_t>(-1)};
    Field<int64_t> size{this, "size", 0, "number of ids, if the model has more than the file; 0: those of the file",
                        between<int64_t>(0, 1 << 24)};
    SpecialIds special{this};
  };

  explicit Hf(const Options& options)
      : path_(*options.file),
        json_(TokenizerJson::read(path_)),
        merges_(json_.merges.size()),
        special_(options.special) {
    byte_level_ = json_.kind == TokenizerJson::Kind::byte_level;
    read_vocabulary();
    read_merges();
    if (!json_.ignore_merges) keep_reachable();
    for (const auto& split : json_.splits) {
      patterns_.push_back(split.kind == TokenizerJson::Split::Kind::gpt2
                              ? nullptr
                              : std::make_unique<RegexSplit>(split.pattern, path_ + ": pre_tokenizer"));
    }
    if (*options.size > 0) {
      if (*options.size < size()) {
        throw Error(
            rfs::format("tokenizer.size: must be at least the {} ids of {}, got {}", size(), path_, *options.size));
      }
      text_.resize(static_cast<size_t>(*options.size));
    }
    find_end(options.end);
    special_.require_below(size());
  }

  std::vector<int32_t> encode(std::string_view text) const override {
    std::vector<int32_t> ids;
    ids.reserve(text.size() / 3 + 1);
    bool at_begin = true;
    raw_.split(text, [&](std::string_view section, int32_t added) {
      if (added >= 0) {
        ids.push_back(added);
      } else {
        const std::string normal = normalized(section);
        normalized_.split(normal, [&](std::string_view part, int32_t id) {
          if (id >= 0) {
            ids.push_back(id);
          } else {
            encode_section(part, at_begin, ids);
          }
          at_begin = false;
        });
      }
      at_begin = false;
    });
    return ids;
  }

  std::string decode(std::span<const int32_t> ids) const override {
    std::string text;
    for (const int32_t id : ids) {
      if (id >= 0 && id < size()) text += text_[static_cast<size_t>(id)];
    }
    if (json_.strips_first_space && text.starts_with(' ')) text.erase(0, 1);
    return text;
  }

  int64_t size() const override { return static_cast<int64_t>(text_.size()); }
  int32_t end() const override {
    if (end_ < 0) {
      throw Error(
          rfs::format("tokenizer.end: set it to the id that ends a text; {} has no tokenizer_config.json with "
                      "an eos_token beside it",
                      path_));
    }
    return end_;
  }
  std::vector<int32_t> ends() const override { return special_.ends(end()); }
  int32_t begin() const override { return static_cast<int32_t>(*special_.begin); }
  int32_t pad() const override { return static_cast<int32_t>(*special_.pad); }

  std::vector<std::string> words(int64_t count) const override { return whole_words(*this, "hf", text_, count); }

 private:
  Error fail(const std::string& what) const { return Error(path_ + ": " + what); }

  void read_vocabulary() {
    int32_t last = 0;
    for (const auto& [token, id] : json_.vocabulary) last = std::max(last, id);
    for (const auto& added : json_.added) last = std::max(last, added.id);
    if (static_cast<size_t>(last) > 2 * (json_.vocabulary.size() + json_.added.size()) + 10'000) {
      throw fail(
          rfs::format("the id {} is out of range for {} tokens", last, json_.vocabulary.size() + json_.added.size()));
    }
    text_.resize(static_cast<size_t>(last) + 1);
    for (const auto& [token, id] : json_.vocabulary) {
      ids_.emplace(token, id);
      text_[static_cast<size_t>(id)] = text_of(token);
    }
    for (size_t byte = 0; byte < 256; ++byte) {
      const std::string token =
          byte_level_ ? characters_.character(static_cast<unsigned char>(byte)) : rfs::format("<0x{:02X}>", byte);
      const auto id = ids_.find(token);
      if (id == ids_.end()) throw fail(rfs::format("model.vocab: the token of byte {}, '{}', is missing", byte, token));
      byte_id_[byte] = id->second;
    }
    read_added();
    json_.vocabulary = {};
  }

  void read_added() {
    std::unordered_map<int32_t, std::string> taken;
    for (const auto& [token, id] : ids_) taken.emplace(id, token);
    for (const auto& added : json_.added) {
      const auto known = ids_.find(added.content);
      const auto [place, is_new] = taken.emplace(added.id, added.content);
      if ((known != ids_.end() && known->second != added.id) || (!is_new && place->second != added.content)) {
        throw fail(rfs::format("added_tokens: the id {} of '{}' does not agree with model.vocab or another added token",
                               added.id, shortened(added.content)));
      }
      text_[static_cast<size_t>(added.id)] = added.content;
      AddedTokens::Token token{added.content, added.id, added.strips_left, added.strips_right};
      if (added.normalized) token.content = normalized(added.content);
      (added.normalized ? normalized_ : raw_).add(token);
    }
  }

  /// The text of a token of the model.
  std::string text_of(const std::string& token) const {
    if (byte_level_) return characters_.bytes(token).value_or(token);
    if (token.size() == 6 && token.starts_with("<0x") && token.ends_with('>')) {
      const auto digit = [](char c) {
        return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
      };
      if (digit(token[3]) >= 0 && digit(token[4]) >= 0) {
        return std::string(1, static_cast<char>(digit(token[3]) * 16 + digit(token[4])));
      }
    }
    return replaced(token, mark, " ");
  }

  void read_merges() {
    size_t number = 0;
    for (const auto& [left, right] : json_.merges) {
      const auto a = ids_.find(left), b = ids_.find(right), both = ids_.find(left + right);
      const auto bad = [&](const char* what) {
        return fail(
            rfs::format("model.merges: entry {} ('{}' and '{}') {}", number, shortened(left), shortened(right), what));
      };
      if (a == ids_.end() || b == ids_.end() || both == ids_.end()) {
        throw bad("must be two tokens of model.vocab that make a third");
      }
      if (!merges_.add(a->second, b->second, both->second)) throw bad("is there twice");
      ++number;
    }
    json_.merges = {};
  }

  /// A piece that is a token becomes that token at once if its merges lead there. Others must not be looked up.
  void keep_reachable() {
    std::vector<int32_t> ids;
    std::erase_if(ids_, [&](const auto& entry) {
      ids.clear();
      append_parts(byte_level_ ? characters_.bytes(entry.first).value_or("") : entry.first, ids);
      merges_.apply(ids, 0);
      const bool is_character = !byte_level_ && code_points(entry.first) == 1;
      return !is_character && (ids.size() != 1 || ids[0] != entry.second);
    });
  }

  void find_end(int64_t given) {
    end_ = static_cast<int32_t>(given);
    if (given >= size()) {
      throw Error(rfs::format("tokenizer.end: must be below the number of ids, {}, got {}", size(), given));
    }
    const auto config = std::filesystem::path(path_).parent_path() / "tokenizer_config.json";
    std::error_code ignored;
    if (given >= 0 || !std::filesystem::exists(config, ignored)) return;
    const auto json = nlohmann::json::parse(read_file(config), nullptr, false);
    const auto token = json.is_object() ? json.find("eos_token") : json.end();
    if (!json.is_object() || token == json.end()) return;
    const auto content = token->is_object() && token->contains("content") ? (*token)["content"] : *token;
    for (const auto& added : json_.added) {
      if (content == added.content) end_ = added.id;
    }
  }

  std::string normalized(std::string_view section) const {
    std::string text(section);
    for (const auto& step : json_.normalizer) {
      switch (step.kind) {
        case TokenizerJson::NormalizerStep::Kind::nfc:
          text = nfc(text);
          break;
        case TokenizerJson::NormalizerStep::Kind::prepend:
          if (!text.empty()) text = step.text + text;
          break;
        case TokenizerJson::NormalizerStep::Kind::replace:
          text = replaced(text, step.text, step.by);
          break;
      }
    }
    return text;
  }

  void encode_section(std::string_view section, bool at_begin, std::vector<int32_t>& ids) const {
    if (byte_level_) return encode_split(section, 0, ids);
    if (!json_.metaspace) return encode_piece(section, ids);
    std::string text = replaced(std::string(section), " ", mark);
    const bool prepends =
        json_.prepend == TokenizerJson::Prepend::always || (json_.prepend == TokenizerJson::Prepend::first && at_begin);
    if (prepends && !text.starts_with(mark)) text = mark + text;
    if (!json_.splits_words) return encode_piece(text, ids);
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = std::min(text.find(mark, begin + 1), text.size());
      encode_piece(std::string_view(text).substr(begin, end - begin), ids);
      begin = end;
    }
  }

  void encode_split(std::string_view text, size_t number, std::vector<int32_t>& ids) const {
    if (number == patterns_.size()) return encode_piece(text, ids);
    const auto next = [&](std::string_view piece) { encode_split(piece, number + 1, ids); };
    if (patterns_[number]) {
      (*patterns_[number])(text, next);
    } else {
      gpt2_(text, next);
    }
  }

  void encode_piece(std::string_view piece, std::vector<int32_t>& ids) const {
    if (piece.empty()) return;
    if (const auto whole = find(piece); whole >= 0) return ids.push_back(whole);
    const size_t begin = ids.size();
    append_parts(piece, ids);
    merges_.apply(ids, begin);
  }

  /// The id of a token, given as bytes or as text; -1 if there is none.
  int32_t find(std::string_view piece) const {
    if (!byte_level_) {
      const auto id = ids_.find(piece);
      return id == ids_.end() ? -1 : id->second;
    }
    if (piece.size() > 64) return -1;
    std::string token;
    for (const char byte : piece) token += characters_.character(static_cast<unsigned char>(byte));
    const auto id = ids_.find(token);
    return id == ids_.end() ? -1 : id->second;
  }

  /// The ids before any merge: of bytes, or of characters with bytes for unknown ones.
  void append_parts(std::string_view piece, std::vector<int32_t>& ids) const {
    for (size_t at = 0; at < piece.size();) {
      const size_t begin = at;
      if (byte_level_ || !next_code_point(piece, at)) at = begin + 1;
      const auto character = byte_level_ ? ids_.end() : ids_.find(piece.substr(begin, at - begin));
      if (character != ids_.end()) {
        ids.push_back(character->second);
        continue;
      }
      for (size_t i = begin; i < at; ++i) ids.push_back(byte_id_[static_cast<unsigned char>(piece[i])]);
    }
  }

  std::string path_;
  TokenizerJson json_;
  bool byte_level_ = true;
  ByteCharacters characters_;
  std::vector<std::string> text_;  // by id
  std::unordered_map<std::string, int32_t, StringHash, std::equal_to<>> ids_;
  std::array<int32_t, 256> byte_id_{};
  BpeMerges merges_;
  AddedTokens raw_, normalized_;
  Gpt2Split gpt2_;
  std::vector<std::unique_ptr<RegexSplit>> patterns_;  // null: GPT-2's
  int32_t end_ = -1;
  SpecialIds special_;
};

const bool registered =
    Registry<Tokenizer>::add<Hf>("a tokenizer.json with a BPE: GPT-2, Llama, Mistral, Qwen, SmolLM");

}  // namespace
}  // namespace rfs
