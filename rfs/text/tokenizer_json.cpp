#include "rfs/text/tokenizer_json.h"

#include <set>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/text/unicode.h"
#include "rfs/text/unicode_classes.h"

namespace rfs {
namespace {

using Json = nlohmann::json;

constexpr int32_t largest_id = (1 << 24) - 1;
const std::string mark = "\u2581";  // SentencePiece's space

/// Reads the parts of a tokenizer.json. `at` names a part in messages.
class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path) {}

  Error fail(const std::string& at, const std::string& rule) const {
    return Error(rfs::format("{}: {}: {}", path_, shortened(at), rule));
  }
  Error unsupported(const std::string& at, const Json& part) const {
    return fail(at, rfs::format("rfs does not support '{}' here; it reads byte-level BPE (GPT-2, Llama 3, Qwen) and "
                                "SentencePiece's BPE (Llama 2, Mistral)",
                                shortened(type_of(part))));
  }
  static std::string type_of(const Json& part) {
    const auto type = part.is_object() ? part.find("type") : part.end();
    return part.is_object() && type != part.end() && type->is_string() ? type->get<std::string>() : part.dump();
  }
  /// The value of a key; `absent` if it is missing or null.
  template <class T>
  T get(const Json& part, const char* key, const T& absent, const std::string& at) const {
    const auto found = part.find(key);
    if (found == part.end() || found->is_null()) return absent;
    if constexpr (std::is_same_v<T, bool>) {
      if (found->is_boolean()) return found->template get<bool>();
    } else if constexpr (std::is_same_v<T, std::string>) {
      if (found->is_string()) return found->template get<std::string>();
    } else {
      if (found->is_number_integer() && found->template get<double>() >= 0 &&
          found->template get<double>() <= largest_id) {
        return found->template get<T>();
      }
    }
    throw fail(at, rfs::format("'{}' must be {}, got {}", key,
                               std::is_same_v<T, bool>          ? "true or false"
                               : std::is_same_v<T, std::string> ? "a string"
                                                                : rfs::format("an id from 0 to {}", largest_id),
                               shortened(found->dump())));
  }
  /// The parts of a Sequence, the part itself, or nothing for null.
  std::vector<Json> parts(const Json& whole, const char* at, const char* list) const {
    const auto found = whole.find(at);
    if (found == whole.end() || found->is_null()) return {};
    if (type_of(*found) != "Sequence") return {*found};
    const auto members = found->find(list);
    if (members == found->end() || !members->is_array()) throw fail(at, rfs::format("'{}' must be a list", list));
    return {members->begin(), members->end()};
  }

  std::string path_;
};

void read_added(const Reader& reader, const Json& json, TokenizerJson& to) {
  const auto list = json.find("added_tokens");
  if (list == json.end() || list->is_null()) return;
  if (!list->is_array()) throw reader.fail("added_tokens", "must be a list");
  for (const Json& one : *list) {
    const std::string at = "added_tokens";
    if (!one.is_object()) throw reader.fail(at, "must be a list of objects");
    TokenizerJson::Added added;
    added.content = reader.get<std::string>(one, "content", "", at);
    added.id = reader.get<int32_t>(one, "id", -1, at);
    if (added.content.empty() || added.id < 0) throw reader.fail(at, "each must have 'content' and 'id'");
    added.normalized = reader.get(one, "normalized", false, at);
    added.strips_left = reader.get(one, "lstrip", false, at);
    added.strips_right = reader.get(one, "rstrip", false, at);
    added.special = reader.get(one, "special", false, at);
    if (reader.get(one, "single_word", false, at)) {
      throw reader.fail(at, rfs::format("'single_word' of '{}' is not supported", shortened(added.content)));
    }
    to.added.push_back(added);
  }
}

void read_normalizer(const Reader& reader, const Json& json, TokenizerJson& to) {
  const std::string at = "normalizer";
  using Step = TokenizerJson::NormalizerStep;
  for (const Json& part : reader.parts(json, "normalizer", "normalizers")) {
    const std::string type = Reader::type_of(part);
    if (type == "NFC") {
      to.normalizer.push_back({Step::Kind::nfc, "", ""});
    } else if (type == "Prepend") {
      to.normalizer.push_back({Step::Kind::prepend, reader.get<std::string>(part, "prepend", "", at), ""});
    } else if (type == "Replace") {
      const auto pattern = part.find("pattern");
      if (pattern == part.end() || !pattern->is_object() || !pattern->contains("String")) {
        throw reader.fail(at, "'pattern' of Replace must be a String");
      }
      Step step{Step::Kind::replace, reader.get<std::string>(*pattern, "String", "", at),
                reader.get<std::string>(part, "content", "", at)};
      if (step.text.empty()) throw reader.fail(at, "'pattern' of Replace must not be empty");
      to.normalizer.push_back(step);
    } else {
      throw reader.unsupported(at, part);
    }
  }
}

void read_split(const Reader& reader, const Json& part, TokenizerJson& to) {
  const std::string at = "pre_tokenizer";
  using Split = TokenizerJson::Split;
  const std::string type = Reader::type_of(part);
  if (type == "ByteLevel") {
    if (reader.get(part, "add_prefix_space", true, at)) throw reader.fail(at, "'add_prefix_space' must be false");
    if (reader.get(part, "use_regex", true, at)) to.splits.push_back({Split::Kind::gpt2, ""});
  } else if (type == "Split") {
    const auto pattern = part.find("pattern");
    if (pattern == part.end() || !pattern->is_object() || !pattern->contains("Regex")) {
      throw reader.fail(at, "'pattern' of Split must be a Regex");
    }
    if (reader.get<std::string>(part, "behavior", "", at) != "Isolated" || reader.get(part, "invert", false, at)) {
      throw reader.fail(at, "Split must have 'behavior' Isolated and 'invert' false");
    }
    to.splits.push_back({Split::Kind::pattern, reader.get<std::string>(*pattern, "Regex", "", at)});
  } else if (type == "Digits") {
    const bool each = reader.get(part, "individual_digits", false, at);
    const std::string& digit = TokenizerJson::one_digit;
    to.splits.push_back({Split::Kind::pattern, each ? digit : digit + "+"});
  } else {
    throw reader.unsupported(at, part);
  }
}

void read_metaspace(const Reader& reader, const Json& part, TokenizerJson& to) {
  const std::string at = "pre_tokenizer";
  if (reader.get<std::string>(part, "replacement", mark, at) != mark) {
    throw reader.fail(at, "'replacement' of Metaspace must be U+2581");
  }
  const bool is_old = !part.contains("prepend_scheme");
  const std::string scheme = is_old ? (reader.get(part, "add_prefix_space", true, at) ? "always" : "never")
                                    : reader.get<std::string>(part, "prepend_scheme", "always", at);
  if (scheme != "always" && scheme != "first" && scheme != "never") {
    throw reader.fail(at, rfs::format("'prepend_scheme' must be always, first or never, got '{}'", shortened(scheme)));
  }
  to.metaspace = true;
  to.prepend = scheme == "always"  ? TokenizerJson::Prepend::always
               : scheme == "first" ? TokenizerJson::Prepend::first
                                   : TokenizerJson::Prepend::never;
  to.splits_words = reader.get(part, "split", true, at);
}

void read_pre_tokenizer(const Reader& reader, const Json& json, TokenizerJson& to) {
  const auto parts = reader.parts(json, "pre_tokenizer", "pretokenizers");
  const bool is_metaspace = parts.size() == 1 && Reader::type_of(parts.front()) == "Metaspace";
  bool has_bytes = false;
  for (const Json& part : parts) {
    if (has_bytes && !is_metaspace) throw reader.fail("pre_tokenizer", "ByteLevel must be the last part");
    if (is_metaspace) {
      read_metaspace(reader, part, to);
    } else {
      read_split(reader, part, to);
      has_bytes = Reader::type_of(part) == "ByteLevel";
    }
  }
  if (!parts.empty() && !is_metaspace && !has_bytes) throw reader.unsupported("pre_tokenizer", parts.back());
  to.kind = has_bytes ? TokenizerJson::Kind::byte_level : TokenizerJson::Kind::sentence_piece;
}

void read_decoder(const Reader& reader, const Json& json, TokenizerJson& to) {
  for (const Json& part : reader.parts(json, "decoder", "decoders")) {
    const std::string type = Reader::type_of(part);
    const bool bytes = to.kind == TokenizerJson::Kind::byte_level;
    if (bytes ? type == "ByteLevel" : type == "Replace" || type == "ByteFallback" || type == "Fuse") continue;
    if (!bytes && type == "Strip") {
      to.strips_first_space = reader.get<int32_t>(part, "start", 0, "decoder") > 0;
    } else if (!bytes && type == "Metaspace") {
      to.strips_first_space = reader.get<std::string>(part, "prepend_scheme", "always", "decoder") != "never";
    } else {
      throw reader.unsupported("decoder", part);
    }
  }
}

void read_model(const Reader& reader, const Json& json, TokenizerJson& to) {
  const std::string at = "model";
  const auto model = json.find("model");
  if (model == json.end() || !model->is_object()) throw reader.fail(at, "must be an object");
  // Files of old versions of `tokenizers` do not name the type of a BPE.
  if (Reader::type_of(*model) != "BPE" && (model->contains("type") || !model->contains("merges"))) {
    throw reader.unsupported(at, *model);
  }
  for (const char* key : {"continuing_subword_prefix", "end_of_word_suffix"}) {
    if (!reader.get<std::string>(*model, key, "", at).empty())
      throw reader.fail(at, rfs::format("'{}' must be empty", key));
  }
  if (const auto dropout = model->find("dropout"); dropout != model->end() && !dropout->is_null() && *dropout != 0.0) {
    throw reader.fail(at, "'dropout' must be null");
  }
  to.ignore_merges = reader.get(*model, "ignore_merges", false, at);
  const bool byte_fallback = reader.get(*model, "byte_fallback", false, at);
  if (to.kind == TokenizerJson::Kind::sentence_piece && !byte_fallback) {
    throw reader.fail(at, "'byte_fallback' must be true in a BPE that is not byte-level");
  }
  const auto vocabulary = model->find("vocab"), merges = model->find("merges");
  if (vocabulary == model->end() || !vocabulary->is_object() || vocabulary->empty()) {
    throw reader.fail("model.vocab", "must be an object with a token in it");
  }
  std::set<int32_t> ids;
  for (const auto& [token, id] : vocabulary->items()) {
    if (!id.is_number_integer() || id.get<double>() < 0 || id.get<double>() > largest_id) {
      throw reader.fail("model.vocab", rfs::format("the id of '{}' must be an integer from 0 to {}, got {}",
                                                   shortened(token), largest_id, shortened(id.dump())));
    }
    to.vocabulary.emplace_back(token, id.get<int32_t>());
    if (!ids.insert(id.get<int32_t>()).second) {
      throw reader.fail("model.vocab", rfs::format("two tokens have the id {}", id.get<int32_t>()));
    }
  }
  if (merges == model->end() || !merges->is_array()) throw reader.fail("model.merges", "must be a list");
  for (const Json& merge : *merges) {
    const auto bad = [&] {
      return reader.fail("model.merges",
                         rfs::format("entry {} must be two tokens, got {}", to.merges.size(), shortened(merge.dump())));
    };
    if (merge.is_array()) {
      if (merge.size() != 2 || !merge[0].is_string() || !merge[1].is_string()) throw bad();
      to.merges.emplace_back(merge[0].get<std::string>(), merge[1].get<std::string>());
    } else {
      const std::string line = merge.is_string() ? merge.get<std::string>() : "";
      if (to.merges.empty() && line.starts_with("#version")) continue;
      const size_t space = line.find(' ');
      if (space == std::string::npos || line.find(' ', space + 1) != std::string::npos) throw bad();
      to.merges.emplace_back(line.substr(0, space), line.substr(space + 1));
    }
  }
}

}  // namespace

// Digits are those of Unicode 17 here.
const std::string TokenizerJson::one_digit = "[\\p{N}\\x{11de0}-\\x{11de9}\\x{16ff4}-\\x{16ff6}]";

TokenizerJson TokenizerJson::read(const std::string& path) {
  const Reader reader(path);
  const auto json = Json::parse(read_file(path), nullptr, false);
  if (!json.is_object()) throw Error(path + ": not a JSON object; the file is damaged, cut off or of another kind");
  TokenizerJson read;
  read_added(reader, json, read);
  read_normalizer(reader, json, read);
  const auto model = json.find("model");
  if (model != json.end() && model->is_object() && model->contains("type") && Reader::type_of(*model) != "BPE") {
    throw reader.unsupported("model", *model);
  }
  read_pre_tokenizer(reader, json, read);
  read_model(reader, json, read);
  read_decoder(reader, json, read);
  return read;
}

}  // namespace rfs
