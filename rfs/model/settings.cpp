#include "rfs/model/settings.h"

#include <algorithm>
#include <cctype>

#include "rfs/core/error.h"
#include "rfs/core/format.h"

namespace rfs {
namespace {

const std::vector<std::string> families = {"positions", "encoding", "attention"};

/// A layer kind's table. Without `use`, its keys override those of the model's table.
Table merged(const Table* of_model, const Table& own) {
  Table table(own.name);
  if (of_model && !own.find("use")) {
    for (const auto& [key, value] : of_model->values()) table.set(key, value);
  }
  for (const auto& [key, value] : own.values()) table.set(key, value);
  return table;
}

template <class Interface>
bool same(const Choice<Interface>& a, const Choice<Interface>& b) {
  if (a.use != b.use) return false;
  const auto& entries = a.options->entries();
  return std::all_of(entries.begin(), entries.end(), [&](const Options::Entry& entry) {
    const auto& others = b.options->entries();
    const auto other = std::find_if(others.begin(), others.end(), [&](const auto& e) { return e.name == entry.name; });
    return a.options->value(entry) == b.options->value(*other);
  });
}

/// Throws Error if a table below [layers] does not belong to a letter of the pattern.
void require_known(const Settings& settings, const std::string& pattern) {
  for (const auto& table : settings.tables()) {
    if (!table.name.starts_with("layers.")) continue;
    const std::string rest = table.name.substr(7), letter = rest.substr(0, rest.find('.'));
    const std::string where = table.origin.empty() ? table.values().front().second.origin : table.origin;
    if (letter.size() != 1 || pattern.find(letter) == std::string::npos) {
      throw Error(rfs::format("{}: [layers.{}]: layers.pattern '{}' has no such letter", where, shortened(letter),
                              shortened(pattern)));
    }
    if (rest.size() == 1) continue;
    if (const std::string family = rest.substr(2);
        std::find(families.begin(), families.end(), family) == families.end()) {
      throw Error(rfs::format("{}: {}", where, unknown("table of layers." + letter, family, families)));
    }
  }
}

void require_letters(const ModelSettings& settings) {
  const std::string& pattern = settings.layers.pattern;
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  if (!std::all_of(pattern.begin(), pattern.end(), letter)) {
    throw Error(rfs::format("layers.pattern: must be letters, got '{}'", shortened(pattern)));
  }
  if (static_cast<int64_t>(pattern.size()) > settings.model.layers) {
    throw Error(rfs::format("layers.pattern: must be at most as long as the model's {} layers, got '{}'",
                            *settings.model.layers, shortened(pattern)));
  }
}

}  // namespace

ModelSettings ModelSettings::read(const Settings& settings) {
  ModelSettings read;
  read.positions = Choice<PositionIndexing>::read(settings.find("positions"), "random_float");
  read.encoding = Choice<PositionEncoding>::read(settings.find("encoding"), "rope");
  read.attention = Choice<AttentionRule>::read(settings.find("attention"), "softmax");
  read.model = DecoderOptions::read(settings.find("model"));
  if (const auto* table = settings.find("layers")) read.layers.read(*table);
  const std::string pattern = read.layers.pattern;
  require_letters(read);
  require_known(settings, pattern);

  const auto choose = [&]<class Interface>(Choice<Interface>& choice, bool& own, const std::string& letter) {
    const std::string family(Interface::family);
    const auto* table = settings.find("layers." + letter + "." + family);
    own = table != nullptr;
    if (!own) return;
    const Table all = merged(settings.find(family), *table);
    choice = Choice<Interface>::read(&all, choice.use);
  };
  for (const char c : pattern.empty() ? std::string(1, '\0') : pattern) {
    const std::string letter = c == '\0' ? "" : std::string(1, c);
    const auto known = [&](const Kind& kind) { return kind.name == letter; };
    if (std::any_of(read.kinds.begin(), read.kinds.end(), known)) continue;
    Kind kind;
    kind.name = letter;
    kind.positions = read.positions;
    kind.encoding = read.encoding;
    kind.attention = read.attention;
    if (!letter.empty()) {
      if (const auto* table = settings.find("layers." + letter)) kind.options.read(*table);
      choose(kind.positions, kind.own_positions, letter);
      choose(kind.encoding, kind.own_encoding, letter);
      choose(kind.attention, kind.own_attention, letter);
    }
    const auto alike = std::find_if(read.kinds.begin(), read.kinds.end(),
                                    [&](const Kind& other) { return same(other.positions, kind.positions); });
    size_t tracks = 0;
    for (const Kind& other : read.kinds) tracks = std::max(tracks, other.track + 1);
    kind.track = alike != read.kinds.end() ? alike->track : tracks;
    read.kinds.push_back(std::move(kind));
  }
  const auto adds = [&](const Kind& kind) {
    const auto encoding = kind.encoding.make();
    return encoding->adds_learned() || !encoding->sinusoids(read.model.width).empty();
  };
  const auto& first = read.kinds.front();
  for (const Kind& kind : read.kinds) {
    if ((adds(first) || adds(kind)) && (!same(kind.encoding, first.encoding) || kind.track != first.track)) {
      throw Error(rfs::format(
          "layers.{}: an encoding that adds positions to embeddings must be the same in all layers, with the "
          "same positions; got {} and {}",
          kind.name, kind.encoding.use, first.encoding.use));
    }
  }
  return read;
}

ModelSpec ModelSettings::spec(int64_t vocabulary, int64_t trained_length) const {
  ModelSpec spec{model, vocabulary, trained_length, {}, {}};
  for (const Kind& kind : kinds) {
    spec.kinds.push_back({kind.name, kind.encoding.make(), kind.attention.make(), *kind.options.window, kind.track});
  }
  for (int64_t layer = 0; layer < model.layers; ++layer) {
    size_t number = 0;
    if (!layers.pattern->empty()) {
      const char letter = (*layers.pattern)[static_cast<size_t>(layer) % layers.pattern->size()];
      while (kinds[number].name[0] != letter) ++number;
    }
    spec.kind_of_layer.push_back(number);
  }
  return spec;
}

PositionTracks ModelSettings::tracks() const {
  std::vector<std::shared_ptr<const PositionIndexing>> tracks;
  for (const Kind& kind : kinds) {
    if (kind.track == tracks.size()) tracks.push_back(kind.positions.make());
  }
  return PositionTracks(std::move(tracks));
}

void ModelSettings::visit_layers(const Visitor& body) const {
  if (layers.pattern->empty()) return;
  body("layers", "", "", layers);
  for (const Kind& kind : kinds) {
    const std::string table = "layers." + kind.name;
    body(table, "", "", kind.options);
    const auto visit = [&](const auto& choice, bool own, const char* family) {
      if (own) body(table + "." + family, choice.use, choice.origin, *choice.options);
    };
    visit(kind.positions, kind.own_positions, "positions");
    visit(kind.encoding, kind.own_encoding, "encoding");
    visit(kind.attention, kind.own_attention, "attention");
  }
}

std::unique_ptr<Options> ModelSettings::layer_options(const std::string& table, const std::string& use,
                                                      const std::string& where) {
  if (table == "layers") return std::make_unique<LayerOptions>();
  if (!table.starts_with("layers.")) return nullptr;
  const std::string family = table.substr(std::min(table.size(), size_t{9}));
  if (family.empty()) return std::make_unique<Kind::Options>();
  if (family == "positions") return Registry<PositionIndexing>::find(use, where).options();
  if (family == "encoding") return Registry<PositionEncoding>::find(use, where).options();
  if (family == "attention") return Registry<AttentionRule>::find(use, where).options();
  throw Error(rfs::format("{}: {}", where, unknown("table of " + table.substr(0, 8), family, families)));
}

}  // namespace rfs
