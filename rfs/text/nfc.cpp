#include "rfs/text/nfc.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "rfs/text/nfc_composed.h"
#include "rfs/text/nfc_excluded.h"
#include "rfs/text/unicode.h"

namespace rfs {
namespace {

constexpr uint32_t hangul = 0xac00, leading = 0x1100, vowel = 0x1161, trailing = 0x11a7;
constexpr uint32_t leadings = 19, vowels = 21, trailings = 28;

class Tables {
 public:
  Tables() {
    for (const auto& pair : nfc_composed()) {
      parts_[pair.code] = pair;
      whole_[key(pair.first, pair.second)] = pair.code;
    }
    for (const auto& pair : nfc_excluded()) parts_[pair.code] = pair;
  }

  void decompose(uint32_t code, std::vector<uint32_t>& out) const {
    if (code - hangul < leadings * vowels * trailings) {
      const uint32_t index = code - hangul;
      out.push_back(leading + index / (vowels * trailings));
      out.push_back(vowel + index % (vowels * trailings) / trailings);
      if (index % trailings > 0) out.push_back(trailing + index % trailings);
      return;
    }
    const auto parts = parts_.find(code);
    if (parts == parts_.end()) return out.push_back(code);
    decompose(parts->second.first, out);
    if (parts->second.second != 0) out.push_back(parts->second.second);
  }

  /// 0 if the two do not compose.
  uint32_t compose(uint32_t first, uint32_t second) const {
    if (first - leading < leadings && second - vowel < vowels) {
      return hangul + ((first - leading) * vowels + second - vowel) * trailings;
    }
    const bool has_no_trailing = first - hangul < leadings * vowels * trailings && (first - hangul) % trailings == 0;
    if (has_no_trailing && second > trailing && second < trailing + trailings) return first + second - trailing;
    const auto whole = whole_.find(key(first, second));
    return whole == whole_.end() ? 0 : whole->second;
  }

  static uint8_t combining(uint32_t code) {
    const auto all = nfc_classes();
    const auto run = std::partition_point(all.begin(), all.end(), [&](const NfcClass& one) { return one.last < code; });
    return run != all.end() && run->first <= code ? run->number : 0;
  }

 private:
  static uint64_t key(uint32_t first, uint32_t second) { return static_cast<uint64_t>(first) << 32 | second; }
  std::unordered_map<uint32_t, NfcPair> parts_;
  std::unordered_map<uint64_t, uint32_t> whole_;
};

/// Normalizes the code points of a stretch of valid UTF-8.
void append_normalized(const Tables& tables, const std::vector<uint32_t>& codes, std::string& out) {
  std::vector<uint32_t> parts;
  for (const uint32_t code : codes) tables.decompose(code, parts);
  std::vector<uint8_t> classes;
  for (const uint32_t part : parts) classes.push_back(Tables::combining(part));
  for (size_t begin = 0; begin < parts.size();) {  // sort each run of combining marks by class
    if (classes[begin] == 0) {
      ++begin;
      continue;
    }
    size_t end = begin;
    while (end < parts.size() && classes[end] != 0) ++end;
    std::stable_sort(parts.begin() + static_cast<std::ptrdiff_t>(begin),
                     parts.begin() + static_cast<std::ptrdiff_t>(end),
                     [](uint32_t a, uint32_t b) { return Tables::combining(a) < Tables::combining(b); });
    for (size_t i = begin; i < end; ++i) classes[i] = Tables::combining(parts[i]);
    begin = end;
  }
  size_t starter = parts.size(), kept = 0;
  uint8_t last_class = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    const bool adjacent = starter < kept && starter + 1 == kept;
    const bool is_free = starter < kept && (adjacent || last_class < classes[i]);
    if (const uint32_t whole = is_free ? tables.compose(parts[starter], parts[i]) : 0; whole != 0) {
      parts[starter] = whole;
      continue;
    }
    if (classes[i] == 0) starter = kept;
    last_class = classes[i];
    parts[kept++] = parts[i];
  }
  for (size_t i = 0; i < kept; ++i) append_utf8(parts[i], out);
}

}  // namespace

std::string nfc(std::string_view text) {
  // Code points below U+0300 neither combine nor change. From there on, the first byte is at least 0xcc.
  if (std::none_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) >= 0xcc; })) {
    return std::string(text);
  }
  static const Tables tables;
  std::string out;
  out.reserve(text.size());
  std::vector<uint32_t> codes;
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    if (const auto code = next_code_point(text, at)) {
      codes.push_back(*code);
      continue;
    }
    append_normalized(tables, codes, out);
    codes.clear();
    out += text.substr(begin, at - begin);
  }
  append_normalized(tables, codes, out);
  return out;
}

}  // namespace rfs
