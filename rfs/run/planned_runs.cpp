#include "rfs/run/planned_runs.h"

#include <algorithm>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/core/split.h"
#include "rfs/records/run.h"
#include "rfs/run/stored_settings.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

template <class T>
bool wanted(const std::vector<T>& list, const T& value) {
  return list.empty() || std::find(list.begin(), list.end(), value) != list.end();
}

void require_known(const char* flag, const char* kind, const std::vector<std::string>& given,
                   const std::vector<std::string>& known) {
  for (const auto& name : given) {
    if (!wanted(known, name)) throw Error(rfs::format("{}: {}", flag, unknown(kind, name, known)));
  }
}

/// Assignments of a method with the preset's numbers in place of `longest`, `trained` and `local`.
std::vector<std::string> with_numbers(const Plan& plan, const std::string& task, const std::string& method,
                                      std::vector<std::string> assignments) {
  for (std::string& one : assignments) {
    const std::string word = one.substr(one.find('=') + 1);
    if (word != "longest" && word != "trained" && word != "local") continue;
    const auto values = plan.preset.values.find(word);
    if (values == plan.preset.values.end() || !values->second.contains(task)) {
      throw Error(rfs::format("preset {}: [{}] has no task {}, which the method {} needs", plan.preset.name, word, task,
                              method));
    }
    one.replace(one.size() - word.size(), std::string::npos, rfs::format("{}", values->second.at(task)));
  }
  return assignments;
}

/// All assignments of a run on top of the preset's settings, in order.
std::vector<std::string> assignments(const Plan& plan, const std::string& task, const Training& training,
                                     int64_t seed) {
  std::vector<std::string> all = {"task.use=" + task};
  for (const auto& some : {plan.preset.tasks.at(task), with_numbers(plan, task, training.name, training.assignments)}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  all.push_back(rfs::format("train.seed={}", seed));
  if (plan.steps != plan.preset.steps) {
    // The warm-up keeps its share of the steps.
    const Table* train = plan.preset.settings.find("train");
    const Value* warmup = train ? train->find("warmup") : nullptr;
    const auto* updates = warmup ? std::get_if<int64_t>(&warmup->data) : nullptr;
    all.push_back(rfs::format("train.steps={}", plan.steps));
    all.push_back(rfs::format("train.warmup={}", updates ? *updates * plan.steps / plan.preset.steps : 0));
  }
  return all;
}

/// The settings of a run. Only a method of `rfs arena --add` can have a mistake.
RunSettings settings_of(const Plan& plan, const std::string& task, const Training& training, int64_t seed) try {
  return RunSettings::read(assigned(plan.preset.settings, assignments(plan, task, training, seed)));
} catch (const Error& error) {
  const std::string text = error.what();
  if (!text.starts_with("--set")) throw;
  throw Error(rfs::format("--add {}{}", training.name, text.substr(5)));
}

/// Seconds of training a task, from the preset's measured speed and the tokens of its rows.
double expected_seconds(const Plan& plan, const std::string& task) {
  const auto& tokens = plan.preset.tokens;
  const double weight = tokens.contains(task) && tokens.contains(plan.preset.measured_task)
                            ? tokens.at(task) / tokens.at(plan.preset.measured_task)
                            : 1;
  return plan.preset.step_seconds * static_cast<double>(plan.steps) * weight;
}

}  // namespace

std::vector<PlannedRun> planned_runs(const Plan& plan, const Narrowing& narrowing, const fs::path& out) {
  require_known("--tasks", "task", narrowing.tasks, plan.tasks);
  require_known("--methods", "method", narrowing.methods, plan.method_names());
  std::vector<int64_t> seeds;
  for (const int64_t seed : narrowing.seeds.empty() ? plan.preset.seeds : narrowing.seeds) {
    if (seed < 0) throw Error(rfs::format("--seeds: must be at least 0, got {}", seed));
    if (seeds.empty() || !wanted(seeds, seed)) seeds.push_back(seed);
  }
  std::vector<std::string> names;
  for (const auto& name : plan.method_names()) {
    const bool slow = std::find(plan.slow.begin(), plan.slow.end(), name) != plan.slow.end();
    if (narrowing.methods.empty() ? !slow : wanted(narrowing.methods, name))
      names.push_back(plan.method(name).training);
  }
  std::vector<PlannedRun> runs;
  for (const int64_t seed : seeds) {
    for (const auto& task : plan.tasks) {
      if (!wanted(narrowing.tasks, task)) continue;
      for (const auto& training : plan.trainings) {
        if (std::find(names.begin(), names.end(), training.name) == names.end()) continue;
        const fs::path folder = plan.run_folder(task, training.name, seed);
        RunSettings settings = settings_of(plan, task, training, seed);
        auto tests = plan.tests_of(task, training.name);
        for (Method& test : tests) test.assignments = with_numbers(plan, task, test.name, test.assignments);
        if (const auto& from = *settings.train.from; !from.empty()) {
          throw Error(rfs::format("method {}: cannot have train.from ({}); train such a run with rfs train --from",
                                  training.name, from));
        }
        const auto number = static_cast<size_t>(std::find(seeds.begin(), seeds.end(), seed) - seeds.begin());
        runs.push_back({task,
                        training.name,
                        {out / folder, std::move(settings), rfs::format("{} {} {}", task, training.name, seed)},
                        std::move(tests),
                        number,
                        plan.extra,
                        expected_seconds(plan, task)});
      }
    }
  }
  return runs;
}

std::vector<PlannedRun> planned_runs(const std::vector<Plan>& plans, const Narrowing& narrowing, const fs::path& out) {
  std::vector<std::string> methods, tasks;
  const auto add = [](std::vector<std::string>& names, const std::vector<std::string>& more) {
    for (const auto& name : more) {
      if (names.empty() || !wanted(names, name)) names.push_back(name);
    }
  };
  for (const Plan& plan : plans) {
    add(methods, plan.method_names());
    add(tasks, plan.tasks);
  }
  require_known("--tasks", "task", narrowing.tasks, tasks);
  require_known("--methods", "method", narrowing.methods, methods);
  std::vector<PlannedRun> runs;
  for (const Plan& plan : plans) {
    const auto part_of = [](const std::vector<std::string>& names, const std::vector<std::string>& known) {
      std::vector<std::string> part;
      for (const auto& name : names) {
        if (wanted(known, name)) part.push_back(name);
      }
      return part;
    };
    const Narrowing own = {part_of(narrowing.methods, plan.method_names()), part_of(narrowing.tasks, plan.tasks),
                           narrowing.seeds};
    if (own.methods.empty() != narrowing.methods.empty() || own.tasks.empty() != narrowing.tasks.empty()) continue;
    for (PlannedRun& run : planned_runs(plan, own, out)) {
      const auto same = [&](const PlannedRun& other) { return other.job.folder == run.job.folder; };
      const auto known = std::find_if(runs.begin(), runs.end(), same);
      if (known == runs.end()) {
        runs.push_back(std::move(run));
      } else {
        known->extra = known->extra && run.extra;
      }
    }
  }
  return runs;
}

double seconds_left(const PlannedRun& run) {
  const auto state = state_of(run);
  if (state == RunState::done || state == RunState::to_evaluate) return 0;
  double share = 1;
  if (state == RunState::to_resume) {
    const auto metrics = Run(run.job.folder).metrics();
    if (!metrics.empty()) {
      share -= static_cast<double>(metrics.back().step) / static_cast<double>(*run.job.settings.train.steps);
    }
  }
  return share * run.expected_seconds;
}

std::vector<PlannedRun> shard(const std::vector<PlannedRun>& runs, int64_t part, int64_t parts) {
  std::vector<PlannedRun> mine;
  for (size_t i = 0; i < runs.size(); ++i) {
    if (static_cast<int64_t>(i) % parts == part - 1) mine.push_back(runs[i]);
  }
  return mine;
}

std::vector<Method> missing_tests(const PlannedRun& planned) {
  const Run run(planned.job.folder);
  const bool weights = fs::exists(run.file("model.safetensors"));
  const auto written = Settings::from_text(planned.job.settings.toml(), planned.job.title);
  std::vector<Method> missing;
  for (const Method& test : planned.tests) {
    const bool there = run.evaluated(test.record);
    if (there && (!weights || has_settings(run.eval_record(test.record).settings,
                                           RunSettings::read(assigned(written, test.assignments))))) {
      continue;
    }
    missing.push_back(test);
  }
  return missing;
}

RunState state_of(const PlannedRun& planned) {
  const Run run(planned.job.folder);
  if (run.trained()) {
    if (missing_tests(planned).empty()) return RunState::done;
    return fs::exists(run.file("model.safetensors")) ? RunState::to_evaluate : RunState::to_train_again;
  }
  return fs::exists(run.file("checkpoint.safetensors")) ? RunState::to_resume : RunState::to_do;
}

void copy_records(const PlannedRun& planned, const fs::path& from, const fs::path& to) {
  const Run run(planned.job.folder);
  const fs::path folder = to / planned.job.folder.lexically_relative(from);
  std::vector<std::string> names = {"settings.toml", "train.json"};
  for (const auto& evaluation : run.evaluations()) names.push_back(run.eval_file(evaluation).filename());
  for (const auto& name : names) write_file(folder / name, read_file(run.file(name)));
  const std::string metrics = fs::exists(run.file("metrics.jsonl")) ? read_file(run.file("metrics.jsonl")) : "";
  const auto lines = split_lines(metrics);
  const size_t every = std::max<size_t>(1, lines.size() / 100);
  std::string kept;
  for (size_t i = 0; i < lines.size(); ++i) {
    const bool validation = lines[i].find("\"validation\"") != std::string::npos;
    if ((i + 1) % every == 0 || validation || i + 1 == lines.size()) kept += std::string(lines[i]) + "\n";
  }
  write_file(folder / "metrics.jsonl", kept);
}

}  // namespace rfs
