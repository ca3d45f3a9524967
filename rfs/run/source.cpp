#include "rfs/run/source.h"

#include <algorithm>
#include <set>

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/core/sha256.h"
#include "rfs/model/parameter_list.h"
#include "rfs/model/store.h"
#include "rfs/records/run.h"
#include "rfs/run/imported_checkpoint.h"
#include "rfs/run/stored_settings.h"
#include "rfs/run/trained.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

/// The choice that learns a tensor, such as "kerple"; "" for a tensor that every model has.
std::string learned_by(const ModelSettings& settings, const ModelSpec& spec, const std::string& name) {
  for (int64_t layer = 0; layer < spec.options.layers; ++layer) {
    const size_t number = spec.kind_of_layer[static_cast<size_t>(layer)];
    const ModelSettings::Kind& kind = settings.kinds[number];
    if (name.starts_with(encoding_prefix(spec.kinds[number], layer))) return kind.encoding.use;
    if (name.starts_with(rule_prefix(layer))) return kind.attention.use;
  }
  return "";
}

/// Names with `*` for the number of a layer, each once: "blocks.*.attention_rule.scale"; "none" for no names.
std::string summary(const std::vector<std::string>& names) {
  std::vector<std::string> parts;
  for (const std::string& name : names) {
    const size_t begin = std::string("blocks.").size(), end = name.find('.', begin);
    const auto part = name.starts_with("blocks.") ? "blocks.*" + name.substr(end) : name;
    if (std::find(parts.begin(), parts.end(), part) == parts.end()) parts.push_back(part);
  }
  return parts.empty() ? "none" : join(parts);
}

/// Throws Error if a key of [model] that is part of what the weights mean differs.
void require_same_model(const Source& source, const DecoderOptions& own, const DecoderOptions& other) {
  for (const auto& entry : own.entries()) {
    if (entry.name == "preset" || entry.name == "dropout" || entry.name == "initialisation") continue;
    const auto& entries = other.entries();
    const auto same = std::find_if(entries.begin(), entries.end(), [&](const auto& e) { return e.name == entry.name; });
    const std::string wanted = other.value(*same).text(), got = own.value(entry).text();
    if (wanted == got) continue;
    throw Error(rfs::format("{}: model.{} must be {}, as in train.from ({}), got {}", entry.origin, entry.name, wanted,
                            source.path(), got));
  }
}

const std::string* text_of(const Value* value) {
  return value ? std::get_if<std::string>(&value->data) : nullptr;
}

/// Removes the source's tables that a written choice replaces as a whole.
void drop_replaced(const Settings& written, Settings& settings) {
  const auto all = [](const std::string&, const Value&) { return true; };
  const auto replaces = [&](const char* table, const char* key) {
    const Table *now = written.find(table), *before = settings.find(table);
    const auto *wanted = text_of(now ? now->find(key) : nullptr), *had = text_of(before ? before->find(key) : nullptr);
    return wanted && *wanted != (had ? *had : "");
  };
  if (replaces("model", "preset")) settings.table("model").erase_if(all);
  if (!replaces("layers", "pattern")) return;
  Settings kept;
  for (const Table& table : settings.tables()) {
    if (!table.name.starts_with("layers.")) kept.table(table.name) = table;
  }
  settings = kept;
}

/// The source's settings. They are part of those of a trained run, so `folder` replaces a source that is gone.
Settings settings_of(const std::string& source, const fs::path& folder) {
  try {
    return Source(source).settings();
  } catch (const Error&) {
    const Run run(folder);
    if (folder.empty() || !run.trained()) throw;
    const std::string where = run.file("settings.toml").string();
    return Settings::from_text(stored_run_settings(run.settings(), where).toml(), where);
  }
}

/// Merges the settings of train.from with the written ones. `folder` is that of the run.
Settings with_source_of(const Settings& written, const fs::path& folder) {
  const Table* train = written.find("train");
  const std::string* from = text_of(train ? train->find("from") : nullptr);
  if (!from || from->empty()) return written;
  const Settings source = settings_of(*from, folder);
  Settings settings;
  for (const Table& table : source.tables()) {
    const bool of_model = table.name.starts_with("layers.") || table.name == "layers" || table.name == "model" ||
                          table.name == "tokenizer" || table.name == "positions" || table.name == "encoding" ||
                          table.name == "attention";
    if (of_model) settings.table(table.name) = table;
  }
  drop_replaced(written, settings);
  const Settings before = settings;
  for (const Table& table : written.tables()) {
    Table& merged = settings.table(table.name);
    merged.origin = table.origin;
    for (const auto& [key, value] : table.values()) merged.set(key, value);
  }
  drop_keys_of_other_choices(before, settings);
  return settings;
}

/// A trained run at or below `folder`; empty if there is none.
fs::path trained_below(const fs::path& folder) {
  std::error_code none;
  if (folder.empty() || !fs::is_directory(folder, none)) return {};
  if (Run(folder).trained()) return folder;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (Run(entry.path()).trained()) return entry.path();
  }
  return {};
}

/// The settings of one point, without what its source added: the keys that `written` has.
Settings written_part(const Settings& written, const Settings& point) {
  Settings part;
  for (const Table& table : written.tables()) {
    Table& kept = part.table(table.name);
    kept = *point.find(table.name);
    kept.erase_if([&](const std::string& key, const Value&) { return !table.find(key); });
  }
  return part;
}

}  // namespace

Source::Source(const fs::path& path) : path_(path.string()) {
  const Run run(path);
  std::error_code ignored;
  if (run.exists()) {
    require_trained(run, "another run starts from it");
    model_file_ = run.file("model.safetensors");
    const std::string where = model_file_.string();
    const TensorFile file = read_tensors(model_file_);
    settings_ = Settings::from_text(stored_run_settings(stored_settings(file, where), where).toml(), where);
    trained_length_ = run.train_record().trained_length;
    return;
  }
  if (!fs::exists(path / "config.json", ignored)) {
    throw Error(
        rfs::format("train.from: '{}' is neither a run nor a folder of transformers (it has no settings.toml "
                    "and no config.json)",
                    path_));
  }
  checkpoint_ = std::make_unique<ImportedCheckpoint>(read_checkpoint(path));
  settings_ = checkpoint_->settings;
  trained_length_ = checkpoint_->trained_length;
}

Source::~Source() = default;

std::string Source::hash() const {
  if (!checkpoint_) return file_sha256(model_file_);
  std::set<fs::path> files = {fs::path(path_) / "config.json"};
  for (const auto& entry : fs::directory_iterator(path_)) {
    if (entry.path().extension() == ".safetensors") files.insert(entry.path());
  }
  Sha256 all;
  for (const auto& file : files) all.add(file.filename().string() + " " + file_sha256(file) + "\n");
  return all.hex();
}

std::map<std::string, std::vector<int64_t>> Source::tensors() const {
  std::map<std::string, std::vector<int64_t>> shapes;
  if (checkpoint_) {
    const auto spec = ModelSettings::read(settings_).spec(checkpoint_->checkpoint.config.vocabulary, trained_length_);
    for (const auto& parameter : parameter_list(spec)) shapes[parameter.name] = parameter.shape;
    return shapes;
  }
  for (const auto& [name, tensor] : read_tensors(model_file_).tensors) shapes[name] = tensor.sizes().vec();
  return shapes;
}

std::unique_ptr<Decoder> Source::model() const {
  if (!checkpoint_) return load_model(model_file_).decoder;
  const int64_t vocabulary = checkpoint_->checkpoint.config.vocabulary;
  auto decoder = std::make_unique<Decoder>(ModelSettings::read(settings_).spec(vocabulary, trained_length_));
  copy_weights(checkpoint_->checkpoint, *decoder);
  return decoder;
}

Settings with_source(const Settings& written) {
  return with_source_of(written, {});
}

std::vector<SweepPoint> expand_with_source(const Settings& written, const fs::path& out) {
  // A single source first, so that keys of its choices can be swept. Then each point is merged as if it were written
  // alone: a swept source, preset or pattern decides what stays of the source's tables.
  auto points = expand(with_source_of(written, trained_below(out)));
  for (SweepPoint& point : points) {
    const fs::path folder = out.empty() || point.name.empty() ? out : out / point.name;
    point.settings = with_source_of(written_part(written, point.settings), folder);
  }
  return points;
}

std::string SourceMatch::text(const std::string& source) const {
  const std::string count = rfs::format("weights from {}: {} tensors", source, common.size());
  if (fresh.empty() && dropped.empty()) return count;
  return rfs::format("{}; new: {}; dropped: {}", count, summary(fresh), summary(dropped));
}

SourceMatch match(const Source& source, const RunSettings& settings, int64_t vocabulary, int64_t trained_length) {
  const auto theirs = ModelSettings::read(source.settings());
  require_same_model(source, settings.model, theirs.model);
  const auto tensors = source.tensors();
  const auto embedding = tensors.find("embedding.weight");
  if (embedding == tensors.end() || embedding->second.size() != 2 || embedding->second.front() != vocabulary) {
    throw Error(rfs::format("tokenizer: must have the {} ids of train.from ({}), got {} with {}",
                            embedding == tensors.end() ? 0 : embedding->second.front(), source.path(),
                            settings.tokenizer.use, vocabulary));
  }
  const ModelSpec own_spec = settings.spec(vocabulary, trained_length),
                  their_spec = theirs.spec(vocabulary, source.trained_length());
  SourceMatch match;
  for (const auto& parameter : parameter_list(own_spec)) {
    const std::string learned = learned_by(settings, own_spec, parameter.name);
    const auto found = tensors.find(parameter.name);
    if (found == tensors.end() || learned != learned_by(theirs, their_spec, parameter.name)) {
      if (learned.empty()) {
        throw Error(rfs::format("{}: the weights '{}' are missing", source.path(), parameter.name));
      }
      match.fresh.push_back(parameter.name);
      continue;
    }
    if (found->second != parameter.shape) {
      throw Error(rfs::format("{}: '{}' has shape [{}], but this run needs [{}]", source.path(), parameter.name,
                              joined(found->second, ", "), joined(parameter.shape, ", ")));
    }
    match.common.push_back(parameter.name);
  }
  const std::set<std::string> common(match.common.begin(), match.common.end());
  for (const auto& [name, shape] : tensors) {
    if (!common.contains(name)) match.dropped.push_back(name);
  }
  return match;
}

void copy_weights(const Source& source, const SourceMatch& match, Decoder& decoder) {
  const torch::NoGradGuard no_gradient;
  const auto model = source.model();
  for (const std::string& name : match.common) decoder.parameters()[name].copy_(model->parameters()[name]);
}

}  // namespace rfs
