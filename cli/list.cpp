#include <algorithm>
#include <memory>

#include "print.h"
#include "rfs/benchmarks/benchmark.h"
#include "rfs/core/error.h"
#include "rfs/core/split.h"
#include "rfs/run/model_sizes.h"
#include "rfs/run/settings.h"
#include "rfs/suite/long_task.h"
#include "verbs.h"

namespace rfs {
namespace {

template <class Interface>
void list_family(const std::string& name) {
  const std::string family(Interface::family);
  if (name.empty()) print("{}\n", family);
  for (const auto& implementation : Registry<Interface>::names()) {
    if (!name.empty() && name != implementation) continue;
    const auto& entry = Registry<Interface>::find(implementation, family);
    print("  {:<26}{}\n", entry.name, entry.summary);
    if (name.empty()) continue;
    const auto options = entry.options();
    for (const auto& field : options->entries()) {
      print("    {:<20} = {:<12} {}{}\n", field.name, options->value(field).text(), field.help,
            field.words.empty() ? "" : "; must " + field.words);
    }
  }
}

void list_presets(const std::string& name) {
  if (name.empty()) print("model (model.preset; weights with a vocabulary of 32,000)\n");
  for (const auto& preset : model_presets()) {
    if (!name.empty() && name != preset) continue;
    print("  {:<26}{}\n", preset, preset_summary(preset));
    if (name.empty()) continue;
    const std::string details = preset_details(preset);
    for (const auto line : split_lines(details)) print("    {}\n", line);
  }
}

void list(const std::string& family, const std::string& name) {
  const std::vector<std::string> families = {"positions", "encoding",  "attention", "optimizer", "model",
                                             "task",      "tokenizer", "benchmark", "long_task"};
  if (!family.empty() && std::find(families.begin(), families.end(), family) == families.end()) {
    throw Error("list: " + unknown("family", family, families));
  }
  const auto wanted = [&](std::string_view f) { return family.empty() || family == f; };
  const auto check = [&](const auto& names) {
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) {
      throw Error("list: " + unknown(family, name, names));
    }
  };
  if (wanted("positions")) check(Registry<PositionIndexing>::names()), list_family<PositionIndexing>(name);
  if (wanted("encoding")) check(Registry<PositionEncoding>::names()), list_family<PositionEncoding>(name);
  if (wanted("attention")) check(Registry<AttentionRule>::names()), list_family<AttentionRule>(name);
  if (wanted("optimizer")) check(Registry<OptimizerRule>::names()), list_family<OptimizerRule>(name);
  if (wanted("model")) check(model_presets()), list_presets(name);
  if (wanted("task")) check(Registry<Task>::names()), list_family<Task>(name);
  if (wanted("tokenizer")) check(Registry<Tokenizer>::names()), list_family<Tokenizer>(name);
  if (wanted("benchmark")) check(Registry<Benchmark>::names()), list_family<Benchmark>(name);
  if (wanted("long_task")) check(Registry<LongTask>::names()), list_family<LongTask>(name);
  if (name.empty()) print("\n`rfs list FAMILY NAME` shows options; `rfs show` shows every setting with its default.\n");
}

}  // namespace

void add_list(Command& app, const RunContext&, int&) {
  Command verb = app.add_subcommand("list",
                                    "List positions, encodings, attention rules, optimizers, tasks and tokenizers "
                                    "(the values of `use`), sizes of models (model.preset), benchmarks and tasks of "
                                    "the long-context suite");
  auto arguments = std::make_shared<std::pair<std::string, std::string>>();
  verb.add_option("FAMILY", arguments->first,
                  "positions, encoding, attention, optimizer, model, task, tokenizer, benchmark or long_task");
  verb.add_option("NAME", arguments->second, "show this one with its options");
  verb.callback([arguments] { list(arguments->first, arguments->second); });
}

}  // namespace rfs
