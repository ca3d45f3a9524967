// rfs data make | show | stats | import

#include "data.h"

#include <memory>

#include "print.h"
#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/run/data_folder.h"
#include "rfs/run/sweep.h"
#include "rfs/tasks/samples_file.h"
#include "verbs.h"

namespace rfs {
namespace {

void make(const DataArguments& arguments, const RunContext& context) {
  std::string text;
  for (const auto& [split, samples, tokens, longest] : make_data(data_settings(arguments), arguments.out, context)) {
    text +=
        rfs::format("{:<11} {:>7} samples  {:>9} tokens  longest {}\n", split_name(split), samples, tokens, longest);
  }
  print("{}\nTrain on it: rfs train FILE --set task.use=file --set task.folder={}\n", text, arguments.out);
}

void import(const DataArguments& arguments, const RunContext&) {
  const auto imported = import_data(arguments.file, arguments.out, {arguments.train_up_to, arguments.validation});
  for (const auto& part : imported.splits) print("{:<11} {:>7} samples\n", split_name(part.split), part.samples);
  if (imported.counted > 0) {
    print("{} samples have no length; the number of words in the prompt is used.\n", imported.counted);
  }
  if (imported.separated > 0) {
    print("Inserted a space between prompt and answer in {} samples that had none.\n", imported.separated);
  }
  print("\nTrain on it: rfs train FILE --set task.use=file --set task.folder={}\n", arguments.out);
}

}  // namespace

RunSettings data_settings(const DataArguments& arguments) {
  const auto points = expand(read_settings(arguments.file, arguments.assignments));
  const auto first = RunSettings::read(points.front().settings);
  for (const auto& point : points) {
    const auto other = RunSettings::read(point.settings);
    if (other.toml("task") != first.toml("task") || other.toml("tokenizer") != first.toml("tokenizer")) {
      throw Error(rfs::format("{}: a sweep over [task] or [tokenizer] has no single data set; set one value with --set",
                              arguments.file));
    }
  }
  return first;
}

void add_data(Command& app, const RunContext& context, int&) {
  Command verb = app.add_subcommand("data", "Make, show and import data");
  verb.require_subcommand();
  auto arguments = std::make_shared<DataArguments>();
  const auto add = [&](const char* name, const char* help, const char* file_help,
                       void (*body)(const DataArguments&, const RunContext&)) {
    Command one = verb.add_subcommand(name, help);
    one.add_option("FILE", arguments->file, file_help).required();
    one.callback([arguments, body, &context] { body(*arguments, context); });
    return one;
  };
  const auto settings = [&](Command one) {
    one.add_option("--set", arguments->assignments, "table.key=value; overrides the file").one_value();
  };
  Command one =
      add("make", "Write a task's splits as JSON lines and as tokenized files for training", "settings (TOML)", make);
  one.add_option("--out", arguments->out, "the folder to write; must not exist yet").required();
  settings(one);
  one = add("show", "Show samples as text and tokens, with loss and positions", "settings (TOML)", show_data);
  one.add_option("--split", arguments->split, "train, validation or test").show_default();
  one.add_option("--samples", arguments->samples, "number of samples").show_default().range(1, 1'000'000);
  settings(one);
  one = add("stats", "Count samples and tokens by length", "settings (TOML)", count_data);
  one.add_option("--out", arguments->out, "also draw a histogram into this folder");
  settings(one);
  one = add("import", "Turn your own JSON lines into a task: prompt, answer and length (default: the prompt's words)",
            "JSON lines", import);
  one.add_option("--out", arguments->out, "the folder to write; must not exist yet").required();
  one.add_option("--train-up-to", arguments->train_up_to, "train on lengths up to this; longer ones are the test")
      .range(1, int64_t{1} << 40);
  one.add_option("--validation", arguments->validation, "number of trained-length samples held out for validation")
      .show_default()
      .range(1, int64_t{1} << 40);
}

}  // namespace rfs
