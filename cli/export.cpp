#include <algorithm>
#include <memory>

#include "experiment.h"
#include "new_folder.h"
#include "print.h"
#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/interchange/hf.h"
#include "rfs/interchange/llama.h"
#include "rfs/model/store.h"
#include "rfs/records/run.h"
#include "trained.h"
#include "verbs.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

struct Arguments {
  std::string run, out, format = "hf";
  int64_t tokens = 1;
};

const std::vector<std::string> formats = {"hf", "gguf"};

void export_run(const Arguments& arguments) {
  if (std::find(formats.begin(), formats.end(), arguments.format) == formats.end()) {
    throw Error("--format: " + unknown("format", arguments.format, formats));
  }
  if (arguments.tokens < 1 || arguments.tokens > PositionIndexing::longest_row) {
    throw Error(
        rfs::format("--tokens: must be between 1 and {}, got {}", PositionIndexing::longest_row, arguments.tokens));
  }
  const Run run = trained_run(arguments.run, "it is exported");
  const std::string where = run.folder().string();
  require_new(arguments.out);

  const StoredModel model = load_model(run.file("model.safetensors"));
  const auto experiment = Experiment::read(Settings::from_text(model.settings, where));
  NeoxConfig config = neox_config(*model.decoder, experiment.encoding, experiment.positions, model.trained_length,
                                  arguments.tokens, where);
  config.end = Data(experiment).tokenizer->end();
  const auto bpe = bpe_files(experiment.tokenizer);
  const TensorFile ours = weights(*model.decoder);
  if (arguments.format == "gguf") {
    require_writable(fs::absolute(arguments.out).parent_path());
    write_gguf(arguments.out, llama_file(config, ours, bpe, run.name()));
  } else {
    const std::map<std::string, std::string> metadata = {{"rfs_settings", model.settings},
                                                         {"rfs_trained_length", std::to_string(model.trained_length)}};
    make_folder(arguments.out, [&](const fs::path& folder) { write_hf(folder, config, ours, metadata, bpe); });
  }

  print("{}  exported to {}: GPT-NeoX, {} weights, ", run.name(), arguments.out, model.decoder->parameters().size());
  if (config.factor == 1) {
    print("plain RoPE\n");
  } else {
    print("RoPE scaled linearly by {:.6g} for inputs of {}{} tokens\n", config.factor,
          config.tokens > model.trained_length ? "" : "up to ", config.tokens);
  }
  if (!bpe) print("Without a tokenizer: '{}' is not one that others have; give it ids\n", experiment.tokenizer.use);
}

}  // namespace

void add_export(Command& app, const Program&, int&) {
  Command verb =
      app.add_subcommand("export", "Write a trained run for other programs: transformers (hf), llama.cpp (gguf)");
  auto arguments = std::make_shared<Arguments>();
  verb.add_option("RUN", arguments->run, "a trained run's folder").required();
  verb.add_option("OUT", arguments->out, "the folder (hf) or file (gguf) to write; must not be there").required();
  verb.add_option("--format", arguments->format, "hf (a folder in GPT-NeoX's layout, the default) or gguf");
  verb.add_option("--tokens", arguments->tokens,
                  "plan for inputs of this many tokens, where that is more than were trained");
  verb.callback([arguments] { export_run(*arguments); });
}

}  // namespace rfs
