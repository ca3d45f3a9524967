#define PCRE2_CODE_UNIT_WIDTH 8
#include <fmt/format.h>
#include <pcre2.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <queue>
#include <unordered_map>

#include "rfs/core/data_files.h"
#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/text/tokenizer.h"

namespace rfs {
namespace {

/// GPT-2's split: contractions, runs of letters, numbers or other signs with a space before, white space.
///
/// White space is Unicode's property (PCRE2's own class adds U+180E). Letters and numbers that Unicode 15 and 16 added
/// are spelled out: Debian's PCRE2 knows Unicode 14, and texts must split the same everywhere.
std::string split_pattern() {
  const std::string space =
      R"(\x{9}-\x{d}\x{20}\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000})";
  const std::string letter =
      R"(\p{L}\x{1c89}-\x{1c8a}\x{a7cb}-\x{a7cd}\x{a7da}-\x{a7dc}\x{105c0}-\x{105f3}\x{10d4a}-\x{10d65})"
      R"(\x{10d6f}-\x{10d85}\x{10ec2}-\x{10ec4}\x{1123f}-\x{11240}\x{11380}-\x{11389}\x{1138b}\x{1138e})"
      R"(\x{11390}-\x{113b5}\x{113b7}\x{113d1}\x{113d3}\x{11bc0}-\x{11be0}\x{11f02}\x{11f04}-\x{11f10})"
      R"(\x{11f12}-\x{11f33}\x{1342f}\x{13441}-\x{13446}\x{13460}-\x{143fa}\x{16100}-\x{1611d})"
      R"(\x{16d40}-\x{16d6c}\x{18cff}\x{1b132}\x{1b155}\x{1df25}-\x{1df2a}\x{1e030}-\x{1e06d})"
      R"(\x{1e4d0}-\x{1e4eb}\x{1e5d0}-\x{1e5ed}\x{1e5f0}\x{2b739}\x{2ebf0}-\x{2ee5d}\x{31350}-\x{323af})";
  const std::string number =
      R"(\p{N}\x{10d40}-\x{10d49}\x{116d0}-\x{116e3}\x{11bf0}-\x{11bf9}\x{11f50}-\x{11f59}\x{16130}-\x{16139})"
      R"(\x{16d70}-\x{16d79}\x{1ccf0}-\x{1ccf9}\x{1d2c0}-\x{1d2d3}\x{1e4f0}-\x{1e4f9}\x{1e5f1}-\x{1e5fa})";
  return "'(?:[sdmt]|ll|ve|re)| ?[" + letter + "]++| ?[" + number + "]++| ?[^" + space + letter + number + "]++|[" +
         space + "]++\\z|[" + space + "]+(?![^" + space + "])|[" + space + "]";
}

/// GPT-2 writes bytes as printable characters: those that are printable as themselves, the others from U+0100 on.
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

/// The other way round: bytes of a token written in those characters; nothing where it has others.
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

/// Which two neighbouring ids become one, and how early: an open-addressing table, as it is asked for every pair of a
/// word.
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

/// GPT-2's byte-level BPE. `<|endoftext|>` is the end of text; in a text it is ordinary characters.
class Gpt2 : public Tokenizer {
 public:
  struct Options : rfs::Options {
    Field<std::string> encoder{this, "encoder", "",
                               "GPT-2's encoder.json; empty: gpt2/encoder.json in the data folder"};
    Field<std::string> merges{this, "merges", "", "GPT-2's vocab.bpe; empty: gpt2/vocab.bpe in the data folder"};
  };
  explicit Gpt2(const Options& options) : pattern_(compile()), merges_(0) {
    constexpr const char* published = "published with OpenAI's gpt-2";
    load(find_data_file({"gpt2/encoder.json", published, "tokenizer.encoder"}, options.encoder),
         find_data_file({"gpt2/vocab.bpe", published, "tokenizer.merges"}, options.merges));
  }

  std::vector<int32_t> encode(std::string_view text) const override {
    std::vector<int32_t> ids;
    ids.reserve(text.size() / 4 + 1);
    const std::unique_ptr<pcre2_match_data, void (*)(pcre2_match_data*)> data(pcre2_match_data_create(1, nullptr),
                                                                              pcre2_match_data_free);
    const auto subject = reinterpret_cast<PCRE2_SPTR>(text.data());
    for (size_t at = 0; at < text.size();) {
      const int found = pcre2_match(pattern_.get(), subject, text.size(), at, 0, data.get(), nullptr);
      const PCRE2_SIZE* range = pcre2_get_ovector_pointer(data.get());
      // Bytes that are not UTF-8 match nothing: they are a piece of their own up to the next match.
      const size_t begin = found < 0 ? text.size() : range[0], end = found < 0 ? text.size() : range[1];
      if (begin > at) encode_piece(text.substr(at, begin - at), ids);
      if (end > begin) encode_piece(text.substr(begin, end - begin), ids);
      at = std::max(end, at + 1);
    }
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
      throw Error(fmt::format("tokenizer gpt2: a word list must have at most its {} one-piece words, got {}",
                              words.size(), count));
    }
    return words;
  }

 private:
  using Pattern = std::unique_ptr<pcre2_code, void (*)(pcre2_code*)>;

  static Pattern compile() {
    int code = 0;
    PCRE2_SIZE place = 0;
    const std::string source = split_pattern();
    Pattern pattern(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(source.data()), source.size(),
                                  PCRE2_UTF | PCRE2_MATCH_INVALID_UTF, &code, &place, nullptr),
                    pcre2_code_free);
    if (!pattern)
      throw std::logic_error(fmt::format("gpt2: the split pattern does not compile: {} at {}", code, place));
    pcre2_jit_compile(pattern.get(), PCRE2_JIT_COMPLETE);  // where there is no compiler, matching is slower
    return pattern;
  }

  void load(const std::filesystem::path& encoder, const std::filesystem::path& merges) {
    const ByteReader bytes_of;
    const auto fail = [&](const std::string& got) {
      return Error(fmt::format("{}: must be GPT-2's encoder.json, got {}", encoder.string(), got));
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
      if (filled[static_cast<size_t>(id)]) throw fail(fmt::format("the id {} twice", id));
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
      if (id == ids_.end()) throw fail(fmt::format("no token for byte {}", byte));
      byte_id_[byte] = id->second;
    }
    read_merges(merges, bytes_of);
  }

  void read_merges(const std::filesystem::path& path, const ByteReader& bytes_of) {
    const std::string text = read_file(path);
    merges_ = Merges(static_cast<size_t>(std::count(text.begin(), text.end(), '\n')) + 1);
    int32_t rank = 0, number = 0;
    for (size_t begin = 0; begin < text.size();) {
      const size_t line_end = std::min(text.find('\n', begin), text.size());
      std::string_view line = std::string_view(text).substr(begin, line_end - begin);
      begin = line_end + 1;
      ++number;
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (line.empty() || (number == 1 && line.starts_with("#version"))) continue;
      const auto fail = [&](const char* got) {
        return Error(fmt::format("{}:{}: must be two tokens of encoder.json that make a third, got {}", path.string(),
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
    if (rank == 0) throw Error(fmt::format("{}: must hold GPT-2's merges, got none", path.string()));
  }

  void encode_piece(std::string_view piece, std::vector<int32_t>& ids) const {
    if (const auto whole = ids_.find(piece); whole != ids_.end()) {
      ids.push_back(whole->second);
    } else if (piece.size() <= 64) {
      merge_short(piece, ids);
    } else {
      merge_long(piece, ids);
    }
  }

  /// The earliest merge first, leftmost where there are several; looks at all pairs each time.
  void merge_short(std::string_view piece, std::vector<int32_t>& ids) const {
    std::array<int32_t, 64> part;
    std::array<const Merges::Merge*, 64> merge;  // of part[i] with part[i + 1]
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

  /// The same by a queue of pairs over a linked list: n log n for pieces without end.
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

  Pattern pattern_;
  std::vector<std::string> bytes_;  // by id
  std::unordered_map<std::string, int32_t, TextHash, std::equal_to<>> ids_;
  std::array<int32_t, 256> byte_id_{};
  Merges merges_;
  int32_t end_ = 0;
};

const bool registered = Registry<Tokenizer>::add<Gpt2>("GPT-2's byte-level BPE (needs encoder.json and vocab.bpe)");

}  // namespace
}  // namespace rfs
