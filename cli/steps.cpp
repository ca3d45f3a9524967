#include "steps.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "evaluation.h"
#include "new_folder.h"
#include "print.h"
#include "progress.h"
#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/report/mistakes.h"
#include "rfs/report/perplexity.h"
#include "rfs/report/report.h"
#include "rfs/report/table.h"
#include "trained.h"
#include "training.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

struct Stopped {};

/// The run's own settings with assignments that change how it is tested.
Experiment tested_as(const std::string& settings_text, const std::string& path,
                     const std::vector<std::string>& assignments) {
  for (const auto& assignment : assignments) {
    if (!assignment.starts_with("eval.") && !assignment.starts_with("positions.") &&
        !assignment.starts_with("task.test_")) {
      throw Error(
          rfs::format("--set {}: evaluation must leave what was trained as it was; it may change eval.*, positions.* "
                      "and task.test_*",
                      assignment.substr(0, assignment.find('='))));
    }
  }
  return Experiment::read(assigned(Settings::from_text(settings_text, path), assignments));
}

}  // namespace

bool eval_run(const Run& run, const std::vector<std::string>& assignments, bool again, const std::string& title,
              const Program& program, const std::string& name) {
  require_trained(run, "it is evaluated");
  const auto written = run.eval_file(name), path = run.file("model.safetensors");
  TensorFile file = read_tensors(path);
  const auto experiment = tested_as(stored_settings(file, path.string()), path.string(), assignments);
  require_writable(run.folder());
  const std::string data = experiment.task.make()->data_hash();
  const auto is_current = [&](const EvalRecord& old) {
    const auto hash = old.provenance.find("data");
    return old.settings == experiment.toml() &&
           (data.empty() || (hash != old.provenance.end() && hash->second == data));
  };
  if (!again && run.evaluated(name) && is_current(run.eval_record(name))) {
    say("{}  already evaluated, in {}\n", title, name.empty() ? run.folder().string() : written.string());
    return true;
  }
  const Evaluation evaluation(experiment, std::move(file), path.string());
  const auto begin = std::chrono::steady_clock::now();
  ProgressLine line(title);
  EvalRecord record;
  record.settings = experiment.toml();
  try {
    const auto show = [&](const std::string& what, int64_t done, int64_t all) {
      if (program.stopped()) throw Stopped{};
      if (!line.due()) return;
      line.show(static_cast<double>(done), static_cast<double>(all), rfs::format("{} of {} {}", done, all, what));
    };
    if (evaluation.language()) {
      evaluation.measure_loss(show, record);
    } else {
      for (const Split split : {Split::validation, Split::test}) evaluation.test(split, show, record);
    }
  } catch (const Stopped&) {
    line.finish("stopped; nothing was written");
    return false;
  }
  record.strips = evaluation.position_strips();
  record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  auto more = libraries();
  more["device"] = evaluation.device();
  if (!data.empty()) more["data"] = data;
  record.provenance = provenance(program.command, more);
  run.write(record, name);
  const std::string as = name.empty() ? "" : " as " + name;
  if (evaluation.language()) {
    std::string text;
    for (const auto& [input, loss] : loss_at_the_end(record)) {
      text += rfs::format("{} {:.4g} at {}", text.empty() ? "" : ",", std::exp(loss), input);
    }
    line.finish(
        rfs::format("evaluated{} in {}: perplexity by tokens of the input{}", as, duration(record.seconds), text));
    return true;
  }
  const auto text = [&](bool trained) {
    const auto mean = record.mean(trained);
    return mean ? share_text(*mean) : "-";
  };
  line.finish(rfs::format("evaluated{} in {}: exact match {} on trained lengths, {} on longer ones", as,
                          duration(record.seconds), text(true), text(false)));
  return true;
}

void report_runs(const std::vector<fs::path>& folders, const fs::path& out, const std::string& eval) {
  require_report_folder(out);
  const auto series = read_series(folders, eval);
  for (const auto& folder : folders) {
    for (const Run& run : find_runs(folder)) {
      const auto is_in = [&](const Series& one) {
        return std::any_of(one.runs.begin(), one.runs.end(),
                           [&](const Run& other) { return fs::equivalent(other.folder(), run.folder()); });
      };
      if (!run.evaluated(eval)) {
        say("left out: {} is not evaluated\n", run.folder().string());
      } else if (std::none_of(series.begin(), series.end(), is_in)) {
        say("left out: {} has the settings and the seed of another run\n", run.folder().string());
      }
    }
  }
  if (has_losses(series)) {
    write_perplexity_report(series, out);
    print("\nPerplexity by length of the input\n\n{}\nFigure  {}\n", perplexity_table(series),
          (out / "perplexity.png").string());
    return;
  }
  write_report(series, out);
  print("\nExact match\n\n{}\n", summary_table(series));
  if (any_decoded(series)) print("{}\nErrors  {}\n", mistake_table(series), (out / "errors.png").string());
  print("Figure  {}\nPage    {}\n", (out / "accuracy.png").string(), (out / "index.html").string());
}

}  // namespace rfs
