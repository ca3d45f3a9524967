#include <memory>

#include "print.h"
#include "rfs/run/import_run.h"
#include "verbs.h"

namespace rfs {
namespace {

struct Arguments {
  std::string out, folder;
  std::vector<std::string> assignments;
};

void import_and_print(const Arguments& arguments, const RunContext& context) {
  const auto model = import_run({arguments.out, arguments.folder, arguments.assignments}, context);
  print("{}  imported from {}: {}, {} weights, positions {}, tokenizer {}, n_tr {}\n", arguments.out, arguments.folder,
        model.family, model.parameters, model.positions, model.tokenizer, model.trained_length);
}

}  // namespace

void add_import(Command& app, const RunContext& context, int&) {
  Command verb = app.add_subcommand("import",
                                    "Import a checkpoint of transformers (safetensors) as a run: Llama, "
                                    "Mistral, Qwen 2 and 3, SmolLM, GPT-NeoX, GPT-2");
  auto arguments = std::make_shared<Arguments>();
  verb.add_option("RUN", arguments->out, "the run's folder; must not exist yet").required();
  verb.add_option("FOLDER", arguments->folder,
                  "folder with config.json, model.safetensors (or its index and shards) and tokenizer.json")
      .required();
  verb.add_option("--set", arguments->assignments, "table.key=value of task, tokenizer, positions, train or eval")
      .one_value();
  verb.callback([arguments, &context] { import_and_print(*arguments, context); });
}

}  // namespace rfs
