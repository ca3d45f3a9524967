#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cstring>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <queue>
#include <unordered_map>

#include "rfs/core/data_files.h"
#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/core/split.h"
#include "rfs/text/gpt2_split.h"
#include "rfs/text/tokenizer.h"

namespace rfs {
namespace {

/// GPT-2 writes each byte as a printable character: printable bytes as themselves, all others from U+0100 on.
std::array<std::string, 256> byte_characters() {
  std::array<std::string, 256> characters;
  const auto utf8 = [](unsigned code) {
    if (code < 0x80) return std::string(1, static_cast<char>(code));
    return std::string{static_cast<char>(0xc0 | code >> 6), static_cast<char>(0x80 | (code & 0x3f))};
  };
  unsigned next = 0x100;
  for (unsigned byte = 0; byte < 256; ++byte) {
    const bool itself = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
    characters[byte] = utf8(itself ? byte : next++);
  }
  return characters;
}

/// The inverse: the bytes of a token written in those characters; nothing if it has other characters.
class ByteReader {
 public:
  ByteReader() {
    const auto characters = byte_characters();
    for (size_t byte = 0; byte < 256; ++byte) byte_of_[characters[byte]] = static_cast<char>(byte);
  }
  std::optional<std::string> operator()(std::string_view token) const {
    std::string bytes;
    for (size_t i = 0; i < token.size();) {
      const size_t length = static_cast<unsigned char>(token[i]) < 0x80 ? 1 : 2;
      const auto byte = byte_of_.find(std::string(token.substr(i, length)));
      if (byte == byte_of_.end()) return std::nullopt;
      bytes += byte->second;
      i += length;
    }
    return bytes;
  }

 private:
  std::unordered_map<std::string, char> byte_of_;
};

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

/// The BPE merges: pairs of neighbouring ids, the id each becomes, and its rank. It is an open-addressing table,
/// because encoding looks up every pair of a word.
class Merges {
 public:
  struct Merge {
    uint64_t pair = ~uint64_t{0};
    int32_t rank = 0, id = 0;
  };
  static uint64_t pair(int32_t left, int32_t right) {
    return static_cast<uint64_t>(static_cast<uint32_t>(left)) << 32 | static_cast<uint32_t>(right);
  }
  explicit Merges(size_t count) : slots_(std::bit_ceil(4 * count + 16)) {}

  void add(uint64_t pair, int32_t rank, int32_t id) {
    Merge& slot = slots_[place(pair)];
    if (slot.pair != pair) slot = {pair, rank, id};
  }
  const Merge* find(uint64_t pair) const {
    const Merge& slot = slots_[place(pair)];
    return slot.pair == pair ? &slot : nullptr;
  }

 private:
  size_t place(uint64_t pair) const {
    size_t at = (pair * 0x9e3779b97f4a7c15ULL) >> 20 & (slots_.size() - 1);
    while (slots_[at].pair != pair && slots_[at].pair != ~uint64_t{0}) at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  std::vector<Merge> slots_;
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

  std::vector<std::string> words(int64_t count) const override {
    std::vector<std::string> words;
    for (const auto& piece : bytes_) {
      if (static_cast<int64_t>(words.size()) == count) return words;
      if (piece.size() < 3 || piece[0] != ' ') continue;
      const std::string word = piece.substr(1);
      const bool letters = std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isalpha(c); });
      if (letters && encode(word).size() == 1) words.push_back(word);
    }
    if (static_cast<int64_t>(words.size()) < count) {
      throw Error(rfs::format(
          "tokenizer gpt2: the vocabulary has {} words of one token, but this task needs {}; use fewer words",
          words.size(), count));
    }
    return words;
  }

 private:
  void load(const std::filesystem::path& encoder, const std::filesystem::path& merges) {
    const ByteReader bytes_of;
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
    read_merges(merges, bytes_of);
  }

  void read_merges(const std::filesystem::path& path, const ByteReader& bytes_of) {
    const std::string text = read_file(path);
    merges_ = Merges(static_cast<size_t>(std::count(text.begin(), text.end(), '\n')) + 1);
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
      const auto left = bytes_of(line.substr(0, space)), right = bytes_of(line.substr(space + 1));
      if (!left || !right) throw fail("other characters");
      const auto a = ids_.find(*left), b = ids_.find(*right), both = ids_.find(*left + *right);
      if (a == ids_.end() || b == ids_.end() || both == ids_.end()) throw fail("an unknown token");
      merges_.add(Merges::pair(a->second, b->second), rank++, both->second);
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
    } else if (piece.size() <= 64) {
      merge_short(piece, ids);
    } else {
      merge_long(piece, ids);
    }
  }

  /// Applies the merge of lowest rank first, the leftmost on ties; scans all pairs each time.
  void merge_short(std::string_view piece, std::vector<int32_t>& ids) const {
    std::array<int32_t, 64> part;
    std::array<const Merges::Merge*, 64> merge;  // merge[i]: of part[i] and part[i + 1]
    size_t count = piece.size();
    for (size_t i = 0; i < count; ++i) part[i] = byte_id_[static_cast<unsigned char>(piece[i])];
    const auto look = [&](size_t i) {
      merge[i] = i + 1 < count ? merges_.find(Merges::pair(part[i], part[i + 1])) : nullptr;
    };
    for (size_t i = 0; i < count; ++i) look(i);
    for (;;) {
      size_t best = count;
      int32_t rank = std::numeric_limits<int32_t>::max();
      for (size_t i = 0; i + 1 < count; ++i) {
        if (merge[i] && merge[i]->rank < rank) {
          rank = merge[i]->rank;
          best = i;
        }
      }
      if (best == count) break;
      part[best] = merge[best]->id;
      std::copy(part.begin() + static_cast<std::ptrdiff_t>(best) + 2, part.begin() + static_cast<std::ptrdiff_t>(count),
                part.begin() + static_cast<std::ptrdiff_t>(best) + 1);
      std::copy(merge.begin() + static_cast<std::ptrdiff_t>(best) + 2,
                merge.begin() + static_cast<std::ptrdiff_t>(count),
                merge.begin() + static_cast<std::ptrdiff_t>(best) + 1);
      --count;
      look(best);
      if (best > 0) look(best - 1);
    }
    ids.insert(ids.end(), part.begin(), part.begin() + static_cast<std::ptrdiff_t>(count));
  }

  /// The same with a priority queue of pairs over a linked list: O(n log n), for pieces of any length.
  void merge_long(std::string_view piece, std::vector<int32_t>& ids) const {
    struct Part {
      int32_t id, previous, next;
    };
    struct Candidate {
      int32_t rank, at, left, right;
      bool operator>(const Candidate& other) const { return std::pair(rank, at) > std::pair(other.rank, other.at); }
    };
    std::vector<Part> parts(piece.size());
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
    const auto look = [&](int32_t at) {
      if (at < 0 || parts[static_cast<size_t>(at)].next < 0) return;
      const int32_t left = parts[static_cast<size_t>(at)].id;
      const int32_t right = parts[static_cast<size_t>(parts[static_cast<size_t>(at)].next)].id;
      if (const auto* merge = merges_.find(Merges::pair(left, right))) queue.push({merge->rank, at, left, right});
    };
    const auto count = static_cast<int32_t>(piece.size());
    for (int32_t i = 0; i < count; ++i) {
      parts[static_cast<size_t>(i)] = {byte_id_[static_cast<unsigned char>(piece[static_cast<size_t>(i)])], i - 1,
                                       i + 1 < count ? i + 1 : -1};
    }
    for (int32_t i = 0; i < count; ++i) look(i);
    while (!queue.empty()) {
      const Candidate best = queue.top();
      queue.pop();
      Part& left = parts[static_cast<size_t>(best.at)];
      if (left.id != best.left || left.next < 0 || parts[static_cast<size_t>(left.next)].id != best.right) continue;
      Part& right = parts[static_cast<size_t>(left.next)];
      left.id = merges_.find(Merges::pair(best.left, best.right))->id;
      left.next = right.next;
      right.id = -1;
      if (left.next >= 0) parts[static_cast<size_t>(left.next)].previous = best.at;
      look(best.at);
      look(left.previous);
    }
    for (int32_t i = 0; i >= 0; i = parts[static_cast<size_t>(i)].next) ids.push_back(parts[static_cast<size_t>(i)].id);
  }

  Gpt2Split split_;
  std::vector<std::string> bytes_;  // by id
  std::unordered_map<std::string, int32_t, TextHash, std::equal_to<>> ids_;
  std::array<int32_t, 256> byte_id_{};
  ShortTokens short_;
  Merges merges_;
  int32_t end_ = 0;
};

const bool registered = Registry<Tokenizer>::add<Gpt2>("GPT-2's byte-level BPE (needs encoder.json and vocab.bpe)");

}  // namespace
}  // namespace rfs
