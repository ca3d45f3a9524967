#include "rfs/run/evaluation.h"

#include <chrono>
#include <cmath>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/core/words.h"
#include "rfs/report/perplexity.h"
#include "rfs/report/table.h"
#include "rfs/run/evaluator.h"
#include "rfs/run/import_run.h"
#include "rfs/run/libraries.h"
#include "rfs/run/measuring.h"
#include "rfs/run/stored_settings.h"
#include "rfs/run/trained.h"

namespace rfs {
namespace {

/// The run's settings with those of the request, which change how it is tested. Throws Error if one changes what was
/// trained. An imported model was not trained on a task of rfs, so it can be tested on any task; if the import chose
/// none, one must be given.
RunSettings tested_as(const Run& run, const std::string& settings_text, const std::string& path,
                      const EvalRequest& request) {
  const auto record = run.train_record().provenance;
  bool has_task = !record.contains(imported_without_task);
  const auto require_test_key = [&](const std::string& key, const std::string& origin) {
    has_task = has_task || key == "task.use";
    if (key.starts_with("eval.") || changes_inference(key) || key.starts_with("task.test_")) return;
    if (!key.starts_with("task.")) {
      throw Error(rfs::format(
          "{}: evaluation cannot change what was trained; it can change eval.*, positions.*, task.test_* and "
          "options of the encoding",
          origin));
    }
    if (!record.contains(imported_from)) {
      throw Error(rfs::format("{}: {} was trained on its own task; only imported runs can be evaluated on another",
                              origin, run.folder().string()));
    }
  };
  for (const Table& table : request.settings.tables()) {
    for (const auto& [name, value] : table.values()) {
      const std::string key = table.name + "." + name;
      require_test_key(key, value.origin + ": " + key);
    }
  }
  for (const auto& assignment : request.assignments) {
    const std::string key = assignment.substr(0, assignment.find('='));
    require_test_key(key, "--set " + key);
  }
  if (!has_task) {
    throw Error(
        rfs::format("{}: an imported model has no task; add --set task.use=corpus --set task.folder=FOLDER "
                    "--set task.window=TOKENS, with a folder written by `rfs corpus make`",
                    run.folder().string()));
  }
  return stored_run_settings(settings_text, path, request.assignments, request.settings);
}

/// True if a record has these settings and this data.
bool is_current(const EvalRecord& record, const RunSettings& settings, const std::string& data) {
  const auto hash = record.provenance.find("data");
  return has_settings(record.settings, settings) &&
         (data.empty() || (hash != record.provenance.end() && hash->second == data));
}

/// The result as text.
std::string summary(const EvalRecord& record, const std::string& name, bool language) {
  const std::string as = name.empty() ? "" : " as " + name;
  if (language) {
    std::string text;
    for (const auto& [input, loss] : loss_at_the_end(record)) {
      text += rfs::format("{} {:.4g} at {}", text.empty() ? "" : ",", std::exp(loss), input);
    }
    return rfs::format("evaluated{} in {}: perplexity by tokens of the input{}", as, duration_text(record.seconds),
                       text);
  }
  const auto share = [&](bool trained) {
    const auto mean = record.mean(trained);
    return mean ? share_text(*mean) : "-";
  };
  return rfs::format("evaluated{} in {}: exact match {} on trained lengths, {} on longer ones", as,
                     duration_text(record.seconds), share(true), share(false));
}

}  // namespace

EvalOutcome evaluate_run(const Run& run, const EvalRequest& request, const RunContext& context) {
  require_trained(run, "it is evaluated");
  const std::string& name = request.name;
  const auto written = run.eval_file(name), path = run.file("model.safetensors");
  TensorFile file = read_tensors(path);
  const auto settings = tested_as(run, stored_settings(file, path.string()), path.string(), request);
  require_writable(run.folder());
  const std::string title = request.title.empty() ? run.name() : request.title;
  const std::string data = settings.task.make()->data_hash();
  if (!request.again && run.evaluated(name)) {
    if (auto old = run.eval_record(name); is_current(old, settings, data)) {
      context.events->note(
          title, rfs::format("already evaluated, in {}", name.empty() ? run.folder().string() : written.string()));
      return {EvalOutcome::Status::already_evaluated, std::move(old)};
    }
  }
  const Evaluator evaluator(settings, std::move(file), path.string(), *context.data);
  const auto begin = std::chrono::steady_clock::now();
  const Measuring measuring(Measurement::evaluation, title, context);
  EvalRecord record;
  record.settings = settings.toml();
  try {
    const auto progress = [&](const std::string& what, int64_t done, int64_t all) {
      measuring.progress(what, done, all);
    };
    if (evaluator.language()) {
      evaluator.measure_loss(progress, record);
    } else {
      for (const Split split : {Split::validation, Split::test}) evaluator.test(split, progress, record);
    }
  } catch (const Measuring::Stopped&) {
    context.events->measured("stopped; nothing was written");
    return {};
  }
  record.strips = evaluator.position_strips();
  record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  auto more = libraries();
  more["device"] = evaluator.device();
  if (!data.empty()) more["data"] = data;
  record.provenance = provenance(context.command, more);
  run.write(record, name);
  context.events->measured(summary(record, name, evaluator.language()));
  return {EvalOutcome::Status::evaluated, std::move(record)};
}

}  // namespace rfs
