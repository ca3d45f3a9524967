#include "rfs/run/imported_checkpoint.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "rfs/core/error.h"
#include "rfs/core/limits.h"
#include "rfs/interchange/checkpoint_settings.h"
#include "rfs/run/settings.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

/// The run that an rfs export came from, so that the import restores its settings.
struct Origin {
  Settings settings;
  int64_t trained = 0;
};

/// Nothing if config.json was changed after the export: `transformers` computes what it says, so it takes precedence.
std::optional<Origin> origin(const Checkpoint& checkpoint, const std::string& where) {
  const auto& metadata = checkpoint.file.metadata;
  const auto settings = metadata.find("rfs_settings"), trained = metadata.find("rfs_trained_length");
  if (settings == metadata.end() || trained == metadata.end()) return std::nullopt;
  Origin found{Settings::from_text(settings->second, where), std::atoll(trained->second.c_str())};
  if (found.trained < 1 || found.trained > longest_row) return std::nullopt;
  const CheckpointConfig& config = checkpoint.config;
  try {
    auto of_settings =
        config_of(ModelSettings::read(found.settings), config.vocabulary, found.trained, config.tokens, where);
    of_settings.ids = config.ids;
    if (of_settings == config) return found;
  } catch (const Error&) {  // settings of another version
  }
  return std::nullopt;
}

/// The folder's tokenizer if it fits the model, else plain ids.
void choose_tokenizer(const fs::path& folder, const CheckpointConfig& config, Settings& settings,
                      const std::string& where) {
  const auto set = [&](const std::string& key, decltype(Value::data) data) {
    settings.table("tokenizer").set(key, Value{std::move(data), where});
  };
  const auto absolute = [&](const char* name) { return fs::absolute(folder / name).string(); };
  const auto exists = [&](const char* name) {
    std::error_code ignored;
    return fs::exists(folder / name, ignored);
  };
  const auto names = Registry<Tokenizer>::names();
  const auto built = [&](const char* name) { return std::find(names.begin(), names.end(), name) != names.end(); };
  const auto size_of = [&](const char* use) {
    return Choice<Tokenizer>::read(settings.find("tokenizer"), use).make()->size();
  };
  const TokenIds& ids = config.ids;
  const auto set_special = [&] {
    set("begin", ids.begin);
    set("pad", ids.pad);
    Value::List more;
    for (size_t i = 1; i < ids.ends.size(); ++i) more.push_back({ids.ends[i], where});
    set("more_ends", more);
  };
  if (built("hf") && exists("tokenizer.json")) {
    set("use", std::string("hf"));
    set("file", absolute("tokenizer.json"));
    if (ids.end() >= 0) set("end", ids.end());
    if (size_of("hf") < config.vocabulary) set("size", config.vocabulary);
    return set_special();
  }
  if (built("gpt2") && exists("vocab.json") && exists("merges.txt")) {
    set("encoder", absolute("vocab.json"));
    set("merges", absolute("merges.txt"));
    if (size_of("gpt2") == config.vocabulary) return set("use", std::string("gpt2"));
    settings.table("tokenizer").erase_if([](const std::string&, const Value&) { return true; });
  }
  set("use", std::string("ids"));
  set("size", config.vocabulary);
  set("end", std::max<int64_t>(ids.end(), 0));
  set_special();
}

/// If the file of a stored tokenizer `hf` is gone, takes the folder's.
void find_tokenizer(const fs::path& folder, Settings& settings) {
  Table& table = settings.table("tokenizer");
  const Value *use = table.find("use"), *file = table.find("file");
  const auto* name = use ? std::get_if<std::string>(&use->data) : nullptr;
  const auto* path = file ? std::get_if<std::string>(&file->data) : nullptr;
  std::error_code ignored;
  if (!name || *name != "hf" || !path || fs::exists(*path, ignored) ||
      !fs::exists(folder / "tokenizer.json", ignored)) {
    return;
  }
  table.set("file", Value{fs::absolute(folder / "tokenizer.json").string(), folder.string()});
}

}  // namespace

ImportedCheckpoint read_checkpoint(const fs::path& folder, const std::vector<std::string>& assignments) {
  ImportedCheckpoint imported{read_hf(folder), {}, 0};
  const CheckpointConfig& config = imported.checkpoint.config;
  const std::string where = (folder / "config.json").string();
  if (const auto ours = origin(imported.checkpoint, folder.string())) {
    imported.settings = ours->settings;
    imported.trained_length = ours->trained;
    find_tokenizer(folder, imported.settings);
    return imported;
  }
  imported.trained_length = config.tokens;
  const auto chosen = [&](const char* key) {
    return std::any_of(assignments.begin(), assignments.end(), [&](const auto& one) { return one.starts_with(key); });
  };
  add_settings(imported.settings, config, where, !chosen("positions.use="));
  if (!chosen("tokenizer.use=")) choose_tokenizer(folder, config, imported.settings, where);
  return imported;
}

}  // namespace rfs
