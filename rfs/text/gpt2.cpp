#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_map>

#include "rfs/core/data_files.h"
#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/core/split.h"
#include "rfs/text/bpe_merges.h"
#include "rfs/text/byte_characters.h"
#include "rfs/text/gpt2_split.h"
#include "rfs/text/tokenizer.h"
#include "rfs/text/whole_words.h"

namespace rfs {
namespace {

struct TextHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

/// Maps the bytes of short tokens to ids. It is an open-addressing table with inline keys, because encoding looks up
/// every piece of a text.
class ShortTokens {
 public:
  static constexpr size_t longest = 15;

  explicit ShortTokens(size_t count) : slots_(std::bit_ceil(4 * count + 1)) {}

  void add(std::string_view token, int32_t id) {
    const Key key = key_of(token, token.data() + token.size());
    slots_[place(key)] = {key, id};
  }
  /// Returns the id or -1. May read bytes up to `end`.
  int32_t find(std::string_view token, const char* end) const { return slots_[place(key_of(token, end))].id; }

 private:
  struct Key {
    uint64_t first = 0, second = 0;  // the bytes, zero padding, and the length in the last byte
    bool operator==(const Key&) const = default;
  };
  struct Slot {
    Key key;
    int32_t id = -1;
  };

  static Key key_of(std::string_view token, const char* end) {
    Key key;
    if (end - token.data() >= 16) {
      std::memcpy(&key, token.data(), 16);
      const size_t bits = 8 * token.size();
      if (bits < 64) {
        key = {key.first & ((uint64_t{1} << bits) - 1), 0};
      } else {
        key.second &= (uint64_t{1} << (bits - 64)) - 1;
      }
    } else {
      std::memcpy(&key, token.data(), token.size());
    }
    key.second |= static_cast<uint64_t>(token.size()) << 56;
    return key;
  }
  size_t place(const Key& key) const {
    const uint64_t mixed = (key.first ^ std::rotl(key.second * 0x9e3779b97f4a7c15ULL, 32)) * 0xd6e8feb86659fd93ULL;
    size_t at = mixed >> 32 & (slots_.size() - 1);
    while (slots_[at].id >= 0 && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  std::vector<Slot> slots_;
};

/// GPT-2's byte-level BPE. `<|endoftext|>` is the end-of-text token; inside a text it is encoded as ordinary
/// characters.
class Gpt2 : public Tokenizer {
 public:
  struct Options : rfs::Options {
    Field<std::string> encoder{this, "encoder", "",
                               "GPT-2's encoder.json; empty: gpt2/encoder.json in the data folder"};
    Field<std::string> merges{this, "merges", "", "GPT-2's vocab.bpe; empty: gpt2/vocab.bpe in the data folder"};
  };
  explicit Gpt2(const Options& options) : short_(0), merges_(0) {
    constexpr const char* published = "published with OpenAI's gpt-2";
    load(find_data_file({"gpt2/encoder.json", published, "tokenizer.encoder"}, options.encoder),
         find_data_file({"gpt2/vocab.bpe", published, "tokenizer.merges"}, options.merges));
  }

  std::vector<int32_t> encode(std::string_view text) const override {
    std::vector<int32_t> ids;
    ids.reserve(text.size() / 4 + 1);
    const char* const end = text.data() + text.size();
    split_(text, [&](std::string_view piece) { encode_piece(piece, end, ids); });
    return ids;
  }

  std::string decode(std::span<const int32_t> ids) const override {
    std::string text;
    for (const int32_t id : ids) {
      if (id >= 0 && id < size()) text += bytes_[static_cast<size_t>(id)];
    }
    return text;
  }

  int64_t size() const override { return static_cast<int64_t>(bytes_.size()); }
  int32_t end() const override { return end_; }

  std::vector<std::string> words(int64_t count) const override { return whole_words(*this, "gpt2", bytes_, count); }

 private:
  void load(const std::filesystem::path& encoder, const std::filesystem::path& merges) {
    const ByteCharacters characters;
    const auto bytes_of = [&](std::string_view token) { return characters.bytes(token); };
    const auto fail = [&](const std::string& got) {
      return Error(rfs::format("{}: must be GPT-2's encoder.json, got {}", encoder.string(), got));
    };
    const auto json = nlohmann::json::parse(read_file(encoder), nullptr, false);
    if (!json.is_object() || json.empty()) throw fail("another file");
    bytes_.resize(json.size());
    std::vector<bool> filled(json.size());
    end_ = -1;
    for (const auto& [token, value] : json.items()) {
      if (!value.is_number_integer() || value.get<int64_t>() < 0 ||
          value.get<int64_t>() >= static_cast<int64_t>(json.size())) {
        throw fail("an id outside 0 .. " + std::to_string(json.size() - 1));
      }
      const auto id = value.get<int32_t>();
      if (filled[static_cast<size_t>(id)]) throw fail(rfs::format("the id {} twice", id));
      filled[static_cast<size_t>(id)] = true;
      if (token == "<|endoftext|>") {
        end_ = id;
        bytes_[static_cast<size_t>(id)] = token;
        continue;
      }
      const auto bytes = bytes_of(token);
      if (!bytes) throw fail("a token that is not made of its byte characters");
      bytes_[static_cast<size_t>(id)] = *bytes;
      ids_.emplace(*bytes, id);
    }
    if (end_ < 0) throw fail("no <|endoftext|>");
    for (size_t byte = 0; byte < 256; ++byte) {
      const auto id = ids_.find(std::string(1, static_cast<char>(byte)));
      if (id == ids_.end()) throw fail(rfs::format("no token for byte {}", byte));
      byte_id_[byte] = id->second;
    }
    short_ = ShortTokens(ids_.size());
    for (const auto& [token, id] : ids_) {
      if (token.size() <= ShortTokens::longest) short_.add(token, id);
    }
    read_merges(merges, characters);
  }

  void read_merges(const std::filesystem::path& path, const ByteCharacters& characters) {
    const std::string text = read_file(path);
    merges_ = BpeMerges(static_cast<size_t>(std::count(text.begin(), text.end(), '\n')) + 1);
    int32_t rank = 0, number = 0;
    for (std::string_view line : split_lines(text)) {
      ++number;
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (line.empty() || (number == 1 && line.starts_with("#version"))) continue;
      const auto fail = [&](const char* got) {
        return Error(rfs::format("{}:{}: must be two tokens of encoder.json that make a third, got {}", path.string(),
                                 number, got));
      };
      const size_t space = line.find(' ');
      if (space == std::string_view::npos) throw fail("no space");
      const auto left = characters.bytes(line.substr(0, space)), right = characters.bytes(line.substr(space + 1));
      if (!left || !right) throw fail("other characters");
      const auto a = ids_.find(*left), b = ids_.find(*right), both = ids_.find(*left + *right);
      if (a == ids_.end() || b == ids_.end() || both == ids_.end()) throw fail("an unknown token");
      merges_.add(a->second, b->second, both->second);
      ++rank;
    }
    if (rank == 0) throw Error(rfs::format("{}: this file has no merges of GPT-2", path.string()));
  }

  void encode_piece(std::string_view piece, const char* text_end, std::vector<int32_t>& ids) const {
    int32_t whole = -1;
    if (piece.size() <= ShortTokens::longest) {
      whole = short_.find(piece, text_end);
    } else if (const auto found = ids_.find(piece); found != ids_.end()) {
      whole = found->second;
    }
    if (whole >= 0) {
      ids.push_back(whole);
    } else {
      const size_t begin = ids.size();
      for (const char c : piece) ids.push_back(byte_id_[static_cast<unsigned char>(c)]);
      merges_.apply(ids, begin);
    }
  }

  Gpt2Split split_;
  std::vector<std::string> bytes_;  // by id
  std::unordered_map<std::string, int32_t, TextHash, std::equal_to<>> ids_;
  std::array<int32_t, 256> byte_id_{};
  ShortTokens short_;
  BpeMerges merges_;
  int32_t end_ = 0;
};

const bool registered = Registry<Tokenizer>::add<Gpt2>("GPT-2's byte-level BPE (needs encoder.json and vocab.bpe)");

}  // namespace
}  // namespace rfs
