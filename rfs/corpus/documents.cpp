#include "rfs/corpus/documents.h"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/corpus/archive.h"

namespace rfs {
namespace {

constexpr int deepest = 8;  // maximum nesting of archives

std::string_view without_newline(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r\n\v\f") == std::string_view::npos;
}

/// The name of a compressed file's content: wiki.jsonl.xz becomes wiki.jsonl.
std::string unpacked_name(const std::string& name) {
  for (const char* suffix : {".xz", ".gz", ".zst"}) {
    if (name.ends_with(suffix)) return name.substr(0, name.size() - std::strlen(suffix));
  }
  return name;
}

}  // namespace

const std::vector<std::string>& document_kinds() {
  static const std::vector<std::string> kinds = {"auto", "file", "separator", "paragraph", "line", "json"};
  return kinds;
}

bool is_packed(std::string_view head) {
  using namespace std::string_view_literals;
  return head.starts_with("\x1f\x8b"sv) ||
         head.starts_with(
             "\xfd"
             "7zXZ\0"sv) ||
         head.starts_with("\x28\xb5\x2f\xfd"sv) || (head.size() >= 512 && head.substr(257, 5) == "ustar");
}

void DocumentReader::read(const Place& from, const std::function<bool(SourceDocument&&)>& take) {
  from_ = from;
  take_ = take;
  int64_t before = 0;
  for (place_ = {}; place_.source < std::ssize(plan_.sources); ++place_.source) {
    const auto& source = plan_.sources[static_cast<size_t>(place_.source)];
    place_.entry = place_.document = 0;
    if (place_.source >= from_.source) {
      Bytes bytes = file_bytes(source.file, [this](size_t count) { seen_ += static_cast<int64_t>(count); });
      if (!packed(bytes, source.file, 0)) return;
    }
    seen_ = before += source.bytes;
  }
}

bool DocumentReader::packed(Bytes& bytes, const std::string& name, int depth) {
  if (!is_packed(bytes.ahead(512))) {
    for (const char* suffix : {".tar", ".tgz", ".xz", ".gz", ".zst"}) {
      if (name.ends_with(suffix))
        throw Error(rfs::format("{}: not an archive, in spite of its name; rename or remove it", name));
    }
    return texts(bytes, name);
  }
  if (depth == deepest) {
    throw Error(rfs::format("{}: archives are nested more than {} deep; unpack them first", name, deepest));
  }
  bool keep_reading = true;
  unpack(bytes, name, [&](const std::string& file, Bytes& content) {
    // Skip the entries of an outermost archive that are already done, without unpacking them.
    const bool done = depth == 0 && place_.source == from_.source && place_.entry < from_.entry;
    if (!done) keep_reading = packed(content, file.empty() ? unpacked_name(name) : name + "/" + file, depth + 1);
    if (depth == 0) {
      ++place_.entry;
      place_.document = 0;
    }
    return keep_reading;
  });
  return keep_reading;
}

void DocumentReader::keep_within_largest(const std::string& text, const std::string& name) const {
  if (text.size() <= largest) return;
  throw Error(rfs::format("{}: a document is larger than {} MB; --documents sets how documents are separated", name,
                          largest >> 20));
}

/// Appends the next line with its newline. Returns false at the end.
bool DocumentReader::append_line(Bytes& bytes, const std::string& name, std::string& to) const {
  for (bool any = false;; any = true) {
    const auto ahead = bytes.ahead(1);
    if (ahead.empty()) return any;
    const size_t newline = ahead.find('\n');
    const size_t count = newline == std::string_view::npos ? ahead.size() : newline + 1;
    to.append(ahead.substr(0, count));
    bytes.take(count);
    keep_within_largest(to, name);
    if (newline != std::string_view::npos) return true;
  }
}

void DocumentReader::append_all(Bytes& bytes, const std::string& name, std::string& to) const {
  for (;;) {
    const auto ahead = bytes.ahead(1);
    if (ahead.empty()) return;
    to.append(ahead);
    bytes.take(ahead.size());
    keep_within_largest(to, name);
  }
}

bool DocumentReader::texts(Bytes& bytes, const std::string& name) {
  std::string kind = plan_.documents;
  if (kind == "auto") kind = name.ends_with(".jsonl") || name.ends_with(".ndjson") ? "json" : "separator";
  std::string text;
  if (kind == "file") {
    append_all(bytes, name, text);
    return found(name, std::move(text), false, 0);
  }
  int64_t number = 0;
  for (size_t begin = 0; append_line(bytes, name, text); begin = text.size()) {
    const std::string_view line = std::string_view(text).substr(begin);
    if (kind == "line" || kind == "json") {
      text.resize(without_newline(text).size());
    } else if (kind == "paragraph" ? is_blank(line) : without_newline(line) == plan_.separator) {
      text.resize(begin);
      text.resize(without_newline(text).size());
      if (kind == "paragraph" && text.empty()) continue;  // another blank line between paragraphs
    } else {
      continue;
    }
    if (!found(name, std::move(text), kind == "json", ++number)) return false;
    text.clear();
  }
  if (is_blank(text) && number > 0) return true;  // the file ends with a separator
  if (number > 0 || kind == "paragraph") text.resize(without_newline(text).size());
  return found(name, std::move(text), false, number > 0 ? number + 1 : 0);
}

bool DocumentReader::found(const std::string& name, std::string&& text, bool json, int64_t number) {
  const bool done = place_.source == from_.source && place_.entry == from_.entry && place_.document < from_.document;
  ++place_.document;
  if (done) return true;
  return take_({one_line(number > 0 ? rfs::format("{}:{}", name, number) : name), std::move(text), json, place_});
}

std::string json_text(std::string_view line, const std::string& field) {
  const auto json = nlohmann::json::parse(line, nullptr, false);
  if (json.is_discarded()) throw Error("not valid JSON");
  if (!json.is_object() || !json.contains(field) || !json[field].is_string()) {
    throw Error(rfs::format("not a JSON object with a text in \"{}\"; --field sets the name", field));
  }
  return json[field].get<std::string>();
}

size_t broken_utf8(std::string_view text) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  for (size_t i = 0; i < text.size();) {
    uint64_t eight = 0;
    if (i + 8 <= text.size() && (std::memcpy(&eight, bytes + i, 8), (eight & 0x8080808080808080) == 0)) {
      i += 8;
      continue;
    }
    const unsigned char first = bytes[i];
    if (first < 0x80) {
      ++i;
      continue;
    }
    const size_t more = first >= 0xc2 && first < 0xe0 ? 1 : first >= 0xe0 && first < 0xf0 ? 2 : first >= 0xf0 ? 3 : 0;
    if (more == 0 || first > 0xf4 || text.size() - i <= more) return i;
    for (size_t k = 1; k <= more; ++k) {
      if ((bytes[i + k] & 0xc0) != 0x80) return i;
    }
    // Overlong encodings, surrogates and code points above U+10FFFF.
    const unsigned char second = bytes[i + 1];
    if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) || (first == 0xf0 && second < 0x90) ||
        (first == 0xf4 && second > 0x8f)) {
      return i;
    }
    i += more + 1;
  }
  return std::string_view::npos;
}

}  // namespace rfs
