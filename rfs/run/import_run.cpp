#include "rfs/run/import_run.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/core/limits.h"
#include "rfs/interchange/hf.h"
#include "rfs/model/store.h"
#include "rfs/records/run.h"
#include "rfs/run/data.h"
#include "rfs/run/folders.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

/// The run that an rfs export came from, so that the import restores its settings.
struct Origin {
  Settings settings;
  int64_t trained = 0;
};

std::optional<Origin> origin(const HfModel& model, const std::string& where) {
  const auto& metadata = model.weights.metadata;
  const auto settings = metadata.find("rfs_settings"), trained = metadata.find("rfs_trained_length");
  if (settings == metadata.end() || trained == metadata.end()) return std::nullopt;
  Origin found{Settings::from_text(settings->second, where), std::atoll(trained->second.c_str())};
  if (found.trained < 1 || found.trained > longest_row) return std::nullopt;
  // If the scaling in config.json was changed after the export, `transformers` uses the changed one, so it takes
  // precedence.
  const auto positions = Choice<PositionIndexing>::read(found.settings.find("positions"), "random_float").make();
  const auto step = positions->even_step(found.trained, model.config.tokens);
  if (!step || std::abs(*step * model.config.factor - 1) > 1e-9) return std::nullopt;
  return found;
}

class Filler {
 public:
  Filler(Settings& settings, std::string where) : settings_(settings), where_(std::move(where)) {}
  void operator()(const std::string& table, const std::string& key, decltype(Value::data) data) const {
    settings_.table(table).set(key, Value{std::move(data), where_});
  }

 private:
  Settings& settings_;
  std::string where_;
};

/// Uses GPT-2's tokenizer if the folder has its files and they fit the model, else plain ids.
void choose_tokenizer(const fs::path& folder, const NeoxConfig& config, const Filler& set) {
  const fs::path encoder = fs::absolute(folder / "vocab.json"), merges = fs::absolute(folder / "merges.txt");
  const auto names = Registry<Tokenizer>::names();
  std::error_code ignored;
  if (std::find(names.begin(), names.end(), "gpt2") != names.end() && fs::exists(encoder, ignored) &&
      fs::exists(merges, ignored)) {
    Settings trial;
    trial.assign("tokenizer.encoder=" + quoted(encoder.string()));
    trial.assign("tokenizer.merges=" + quoted(merges.string()));
    if (Choice<Tokenizer>::read(trial.find("tokenizer"), "gpt2").make()->size() == config.vocabulary) {
      set("tokenizer", "use", std::string("gpt2"));
      set("tokenizer", "encoder", encoder.string());
      set("tokenizer", "merges", merges.string());
      return;
    }
  }
  set("tokenizer", "use", std::string("ids"));
  set("tokenizer", "size", config.vocabulary);
  set("tokenizer", "end", std::max<int64_t>(config.end, 0));
}

void choose_model(const NeoxConfig& config, const Filler& set) {
  set("model", "preset", std::string("gpt2"));
  set("model", "layers", config.layers);
  set("model", "width", config.width);
  set("model", "heads", config.heads);
  set("model", "head_width", config.head_width());
  set("model", "feed_width", config.feed_width);
  set("model", "norm_epsilon", config.norm_epsilon);
  set("model", "tied", config.tied);
  set("encoding", "use", std::string("rope"));
  set("encoding", "share", static_cast<double>(config.rotated) / static_cast<double>(config.head_width()));
  set("encoding", "base", config.base);
}

void choose_positions(const NeoxConfig& config, const Filler& set) {
  if (config.factor == 1) return set("positions", "use", std::string("sequential"));
  // Positions 1 / factor apart: RFS with the range that the inputs span.
  set("positions", "use", std::string("random_float"));
  set("positions", "range", static_cast<double>(config.tokens) / config.factor);
}

}  // namespace

ImportedModel import_run(const ImportRequest& request, const RunContext& context) {
  for (const auto& assignment : request.assignments) {
    if (assignment.starts_with("model.") || assignment.starts_with("encoding.")) {
      throw Error(
          rfs::format("--set {}: config.json defines the model; only task, tokenizer, positions, train and eval can be "
                      "set",
                      assignment.substr(0, assignment.find('='))));
    }
  }
  require_new(request.out);
  const HfModel model = read_hf(request.folder);
  const std::string folder_name = request.folder.string();
  const std::string where = (request.folder / "config.json").string();
  Settings written;
  const Filler set(written, where);
  int64_t trained = model.config.tokens;
  const auto ours = origin(model, folder_name);
  if (ours) {
    written = ours->settings;
    trained = ours->trained;
  } else {
    const bool chosen = std::any_of(request.assignments.begin(), request.assignments.end(),
                                    [](const auto& one) { return one.starts_with("positions.use="); });
    if (!chosen) choose_positions(model.config, set);
    choose_tokenizer(request.folder, model.config, set);
  }
  choose_model(model.config, set);
  const auto settings = RunSettings::read(assigned(written, request.assignments));
  const int64_t words = RunData(settings).tokenizer->size();
  if (words != model.config.vocabulary) {
    throw Error(rfs::format("{}: the tokenizer must have the model's {} ids, got {}", folder_name,
                            model.config.vocabulary, words));
  }
  Decoder decoder(settings.spec(model.config.vocabulary, trained));
  set_weights(decoder, model.weights, folder_name);
  make_folder(request.out, [&](const fs::path& folder) {
    const Run run(folder);
    write_file(run.file("settings.toml"), settings.toml());
    save_model(run.file("model.safetensors"), decoder, settings.toml(), trained);
    TrainRecord record;
    record.trained_length = trained;
    record.parameters = decoder.parameters().size();
    record.provenance = provenance(context.command, {{"imported", fs::absolute(request.folder).string()}});
    run.write(record);
  });
  return {decoder.parameters().size(), settings.positions.use, settings.tokenizer.use, trained};
}

}  // namespace rfs
