#include <algorithm>
#include <cmath>
#include <memory>

#include "experiment.h"
#include "new_folder.h"
#include "print.h"
#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/core/limits.h"
#include "rfs/interchange/hf.h"
#include "rfs/model/store.h"
#include "rfs/records/run.h"
#include "verbs.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

struct Arguments {
  std::string out, folder;
  std::vector<std::string> assignments;
};

/// What an export of ours says of itself, so that it comes back as the run it was.
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
  // Scaling that was changed in config.json since then is what `transformers` runs: it counts.
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

/// The tokenizer whose files lie in the folder, where it is GPT-2's and fits; else plain ids.
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
  // Evenly spaced by 1 / factor: RFS over what its inputs span.
  set("positions", "use", std::string("random_float"));
  set("positions", "range", static_cast<double>(config.tokens) / config.factor);
}

void import_model(const Arguments& arguments, const Program& program) {
  for (const auto& assignment : arguments.assignments) {
    if (assignment.starts_with("model.") || assignment.starts_with("encoding.")) {
      throw Error(
          rfs::format("--set {}: the model must stay as config.json has it; set task, tokenizer, positions, "
                      "train or eval",
                      assignment.substr(0, assignment.find('='))));
    }
  }
  require_new(arguments.out);
  const HfModel model = read_hf(arguments.folder);
  const std::string where = (fs::path(arguments.folder) / "config.json").string();
  Settings settings;
  const Filler set(settings, where);
  int64_t trained = model.config.tokens;
  const auto ours = origin(model, arguments.folder);
  if (ours) {
    settings = ours->settings;
    trained = ours->trained;
  } else {
    const bool chosen = std::any_of(arguments.assignments.begin(), arguments.assignments.end(),
                                    [](const auto& one) { return one.starts_with("positions.use="); });
    if (!chosen) choose_positions(model.config, set);
    choose_tokenizer(arguments.folder, model.config, set);
  }
  choose_model(model.config, set);
  const auto experiment = Experiment::read(assigned(settings, arguments.assignments));
  const int64_t words = Data(experiment).tokenizer->size();
  if (words != model.config.vocabulary) {
    throw Error(rfs::format("{}: the tokenizer must have the model's {} words, got {}", arguments.folder,
                            model.config.vocabulary, words));
  }
  Decoder decoder(experiment.model, model.config.vocabulary, experiment.encoding.make());
  set_weights(decoder, model.weights, arguments.folder);
  make_folder(arguments.out, [&](const fs::path& folder) {
    const Run run(folder);
    write_file(run.file("settings.toml"), experiment.toml());
    save_model(run.file("model.safetensors"), decoder, experiment.toml(), trained);
    TrainRecord record;
    record.trained_length = trained;
    record.parameters = decoder.parameters().size();
    record.provenance = provenance(program.command, {{"imported", fs::absolute(arguments.folder).string()}});
    run.write(record);
  });
  print("{}  imported from {}: {} weights, positions {}, tokenizer {}, n_tr {}\n", arguments.out, arguments.folder,
        decoder.parameters().size(), experiment.positions.use, experiment.tokenizer.use, trained);
}

}  // namespace

void add_import(Command& app, const Program& program, int&) {
  Command verb = app.add_subcommand("import", "Make a run of a GPT-NeoX checkpoint (transformers, safetensors)");
  auto arguments = std::make_shared<Arguments>();
  verb.add_option("RUN", arguments->out, "the run's folder to make; must not be there").required();
  verb.add_option("FOLDER", arguments->folder, "config.json and model.safetensors, or its index and shards").required();
  verb.add_option("--set", arguments->assignments, "table.key=value of task, tokenizer, positions, train or eval")
      .one_value();
  verb.callback([arguments, &program] { import_model(*arguments, program); });
}

}  // namespace rfs
