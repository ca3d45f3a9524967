#include <memory>

#include "print.h"
#include "rfs/run/export_run.h"
#include "verbs.h"

namespace rfs {
namespace {

struct Arguments {
  std::string run, out, format = "hf";
  int64_t tokens = 1;
};

void export_and_print(const Arguments& arguments) {
  const auto model = export_run({arguments.run, arguments.out, arguments.format, arguments.tokens});
  print("{}  exported to {}: {}, {} weights, ", model.name, arguments.out, model.family, model.parameters);
  if (model.scaling.empty()) {
    print("learned positions\n");
  } else if (model.scaling == "none") {
    print("plain RoPE\n");
  } else if (model.scaling != "linear") {
    print("RoPE scaled with {} by {:.6g}\n", model.scaling, model.factor);
  } else {
    print("RoPE scaled linearly by {:.6g} for inputs of {}{} tokens\n", model.factor,
          model.tokens > model.trained_length ? "" : "up to ", model.tokens);
  }
  if (!model.no_tokenizer.empty()) {
    print("No tokenizer was exported: {}; give the model ids\n", model.no_tokenizer);
  }
}

}  // namespace

void add_export(Command& app, const RunContext&, int&) {
  Command verb = app.add_subcommand("export", "Export a trained run to transformers (hf) or llama.cpp (gguf)");
  auto arguments = std::make_shared<Arguments>();
  verb.add_option("RUN", arguments->run, "a trained run's folder").required();
  verb.add_option("OUT", arguments->out, "the folder (hf) or file (gguf) to write; must not exist yet").required();
  verb.add_option("--format", arguments->format,
                  "hf (a folder in the layout of the model's family; the default) or gguf");
  verb.add_option("--tokens", arguments->tokens,
                  "place positions for inputs of this many tokens, if that exceeds the training length");
  verb.callback([arguments] { export_and_print(*arguments); });
}

}  // namespace rfs
