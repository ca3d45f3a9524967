#include "training.h"

#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <torch/version.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <list>
#include <optional>
#include <set>
#include <thread>

#include "lock.h"
#include "new_folder.h"
#include "print.h"
#include "progress.h"
#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/core/memory.h"
#include "rfs/core/temporary.h"
#include "rfs/eval/exact_match.h"
#include "rfs/eval/loss.h"
#include "rfs/report/table.h"
#include "rfs/train/make_trainer.h"
#include "rfs/train/session.h"
#include "stop.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

/// Settings that decide what is trained: all but the last table, [eval].
std::string trained_part(const std::string& toml) {
  return toml.substr(0, toml.find("\n[eval]"));
}

void require_same_settings(const Run& run, const Experiment& experiment) {
  std::istringstream there(trained_part(run.settings())), here(trained_part(experiment.toml()));
  std::string table;
  for (std::string a, b; there || here;) {
    if (!std::getline(there, a)) a.clear();
    if (!std::getline(here, b)) b.clear();
    if (a.starts_with('[')) table = a;
    if (a != b) {
      throw Error(
          rfs::format("{}: this run must go on with its own settings ({} {}), got {}; give another --out or remove it",
                      run.folder().string(), table, a, b));
    }
  }
}

/// Throws Error where the machine cannot hold the model while it trains: weights, gradients and two moments.
void require_memory(const Experiment& experiment, int64_t vocabulary) {
  const auto& m = experiment.model;
  const auto product = [](auto... factors) { return (1.0 * ... * static_cast<double>(factors)); };
  const double layer = product(4, *m.heads, *m.head_width, *m.width) + product(2, *m.feed_width, *m.width);
  const double bytes = 16 * (product(*m.layers, layer) + product(m.tied ? 1 : 2, vocabulary, *m.width));
  if (bytes > machine_memory()) {
    throw Error(
        rfs::format("model: must fit into this machine's {:.0f} GB, got {:.0f} GB for weights, gradients and moments",
                    machine_memory() / 1e9, bytes / 1e9));
  }
}

/// What the splits say about a run before it is trained. Many points of a sweep share it.
struct Sizes {
  int64_t train = 0, test = 0;  ///< tokens of the longest rows
  int64_t validation = 0;       ///< examples
};

void check_job(const Job& job, std::map<std::string, Sizes>& known, int ranks) {
  const auto& experiment = job.experiment;
  const Run run(job.folder);
  if (run.exists()) require_same_settings(run, experiment);
  if (run.trained()) return;
  const Data data(experiment);
  require_memory(experiment, data.tokenizer->size());
  const auto [entry, is_new] = known.try_emplace(experiment.toml("task") + experiment.toml("tokenizer"));
  Sizes& sizes = entry->second;
  if (is_new) {
    sizes = {data.examples(Split::train).trained_length(), data.examples(Split::test).longest(),
             data.examples(Split::validation).size()};
  }
  if (*experiment.train.checkpoint == "best" && sizes.validation == 0) {
    throw Error("train.checkpoint: must be last where there is no validation data, got best");
  }
  const auto indexing = experiment.positions.make();
  train_place(experiment.model, *indexing, sizes.train, experiment.train, ranks);
  std::vector<float> positions(static_cast<size_t>(std::max(sizes.train, sizes.test)));
  Stream stream(0, "check");
  indexing->train(stream, sizes.train, std::span(positions).first(static_cast<size_t>(sizes.train)));
  indexing->infer(stream, sizes.train, sizes.test, std::span(positions).first(static_cast<size_t>(sizes.test)));
}

/// A job with its data, model and trainer in memory.
class Training {
 public:
  explicit Training(const Job& job, const Ranks& ranks = Ranks::alone())
      : job_(job),
        ranks_(ranks),
        data_(job.experiment),
        data_hash_(data_.task->data_hash()),
        indexing_(job.experiment.positions.make()),
        examples_(data_.examples(Split::train)),
        validation_(job.experiment.train.validate_every > 0 ? data_.examples(Split::validation) : Examples()),
        place_(train_place(job.experiment.model, *indexing_, examples_.trained_length(), job.experiment.train,
                           ranks.size())),
        decoder_(job.experiment.model, data_.tokenizer->size(), job.experiment.encoding.make(), torch::kFloat32,
                 place_.decoder) {
    decoder_.initialise(static_cast<uint64_t>(*job.experiment.train.seed));
    trainer_ =
        make_trainer(place_, decoder_, *indexing_, examples_, examples_.trained_length(), job.experiment.train, ranks);
    if (validation_.size() > 0 && ranks.first()) {
      const auto& eval = job.experiment.eval;
      const auto all = static_cast<int64_t>(validation_.tokens().size());  // planned rows; of the others there are more
      const int64_t together = *eval.n_in == "planned" ? std::min<int64_t>(eval.batch_tokens, all) : eval.batch_tokens;
      trainer_->reserve(std::max(together, validation_.longest()));
    }
  }

  Trainer::Memory memory() const { return trainer_->memory(); }
  /// Whether other ranks on this host train in the same memory.
  bool shares_memory() const { return !place_.engine && place_.decoder.is_cpu(); }
  /// A measurement on validation data in words.
  std::string validation_text(double value) const {
    return language() ? rfs::format("loss {:.4f}", value) : share_text(value);
  }
  std::string ranks_text(const Neighbours& here) const {
    if (ranks_.size() == 1) return "";
    return rfs::format(", {} ranks{}", ranks_.size(), here.hosts > 1 ? rfs::format(" on {} hosts", here.hosts) : "");
  }
  std::string place() const { return trainer_->place() + (place_.note.empty() ? "" : ": " + place_.note); }

  /// Claims the run's folder for this process and writes its first files.
  void open() {
    const Run run(job_.folder);
    require_writable(job_.folder);
    claim_.emplace(job_.folder, FolderGuard::Others::refused);
    if (!claim_->held()) {
      throw Error(rfs::format("{}: must be trained by one process at a time, got another that trains it now",
                              job_.folder.string()));
    }
    const fs::path data_file = run.file("data.sha256");
    if (!data_hash_.empty() && fs::exists(data_file) && read_file(data_file) != data_hash_ + "\n") {
      throw Error(
          rfs::format("{}: this run must go on with the data it began with, got others in its task.folder; give "
                      "another --out or remove it",
                      job_.folder.string()));
    }
    write_file(run.file("settings.toml"), job_.experiment.toml());  // first: with it, the folder is a run
    if (!data_hash_.empty()) write_file(data_file, data_hash_ + "\n");
    if (const int64_t words = data_.task->vocabulary().names; words > 0) {
      write_file(run.file("words.txt"), join(data_.tokenizer->words(words), "\n") + "\n");
    }
  }

  /// Trains the opened run. Returns false when it was stopped.
  bool run(const Program& program, const std::function<void(const Progress&)>& progress,
           const std::function<void(const std::string&)>& finish) {
    const StopsItself guard;
    const Run run(job_.folder);
    TrainHooks hooks = shared_hooks(program);
    hooks.progress = progress;
    if (validation_.size() > 0) hooks.validate = [this](const Predictor& predictor) { return validate(predictor); };
    hooks.validates_loss = language();
    auto record = train(run, decoder_, *trainer_, job_.experiment.train, examples_.trained_length(), hooks);
    if (!record) {
      finish(rfs::format("stopped after step {}; the same command goes on from there", trainer_->updates()));
      return false;
    }
    record->provenance = provenance(program.command, libraries());
    record->provenance["device"] = trainer_->place();
    if (!data_hash_.empty()) record->provenance["data"] = data_hash_;
    if (ranks_.size() > 1) record->provenance["ranks"] = std::to_string(ranks_.size());
    run.write(*record);
    remove_leftovers(run);
    const auto best = record->best_validation;
    finish(rfs::format(
        "trained: {} steps in {}, loss {:.4f}{}, {} tok/s", record->steps, duration(record->seconds), record->loss,
        best ? rfs::format(", best validation {} at step {}", validation_text(*best), record->best_step) : "",
        count(static_cast<double>(record->tokens) / std::max(record->seconds, 1e-9))));
    return true;
  }

  /// Trains the run that the first rank opened and writes. Returns false when it was stopped.
  bool follow(const Program& program) {
    const StopsItself guard;
    return rfs::follow(Run(job_.folder), *trainer_, job_.experiment.train, shared_hooks(program));
  }

  /// A finished run needs neither checkpoint nor best weights.
  static void remove_leftovers(const Run& run) {
    std::error_code ignored;
    const auto files = {run.file("best.safetensors"), run.file("checkpoint.safetensors")};
    const auto there = [&](const fs::path& file) { return fs::exists(file, ignored); };
    if (std::none_of(files.begin(), files.end(), there)) return;
    remove_abandoned(run.folder());
    for (const auto& file : files) fs::remove(file, ignored);
  }

 private:
  bool language() const { return data_.task->language(); }
  TrainHooks shared_hooks(const Program& program) const {
    TrainHooks hooks;
    hooks.stop = program.stopped;
    hooks.ranks = &ranks_;
    return hooks;
  }
  double validate(const Predictor& predictor) const {
    const EvalContext evaluated{predictor, *indexing_, examples_.trained_length(), job_.experiment.eval};
    if (language()) return mean_loss(evaluated, validation_);
    const auto right = exact_match(evaluated, validation_, [](int64_t, int64_t) {});
    return static_cast<double>(std::count(right.begin(), right.end(), true)) / static_cast<double>(right.size());
  }

  const Job& job_;
  const Ranks& ranks_;
  Data data_;
  std::string data_hash_;
  std::unique_ptr<PositionIndexing> indexing_;
  Examples examples_, validation_;
  TrainPlace place_;
  Decoder decoder_;
  std::unique_ptr<Trainer> trainer_;
  std::optional<FolderGuard> claim_;
};

bool already_trained(const Job& job) {
  const Run run(job.folder);
  if (!run.trained()) return false;
  Training::remove_leftovers(run);
  const auto record = run.train_record();
  say("{}  already trained: {} steps, loss {:.4f}, in {}\n", job.title, record.steps, record.loss, job.folder.string());
  return true;
}

/// Opens runs that are to train at the same time and says what they need, together with ranks on the same host. Throws
/// Error where the device has less.
void open(const std::string& title, const std::vector<Training*>& trainings, const Neighbours& here = {}) {
  Trainer::Memory memory;
  for (const Training* training : trainings) {
    const auto own = training->memory();
    memory = {memory.needed + own.needed, own.available};
  }
  const Training& one = *trainings.front();
  if (one.shares_memory()) memory.needed *= here.count;
  const auto text = rfs::format("about {} of {}", bytes_text(memory.needed), bytes_text(memory.available));
  if (memory.needed > memory.available) {
    throw Error(
        rfs::format("memory: must hold model and batch, got need of {}; lower train.batch or train.rows_at_once, or "
                    "the model's sizes",
                    text));
  }
  for (Training* training : trainings) training->open();
  say("{}  {}{}; memory: {}\n", title, one.place(), one.ranks_text(here), text);
}

bool train_alone(const Job& job, const Program& program) {
  const Ranks& ranks = *program.ranks;
  std::optional<Training> made;
  agree(ranks, [&] { made.emplace(job, ranks); });
  Training& training = *made;
  require_same(ranks, "train.device", training.place());
  const Neighbours here = neighbours(ranks);
  agree(ranks, [&] {
    if (ranks.first()) open(job.title, {&training}, here);
  });
  if (!ranks.first()) return training.follow(program);
  ProgressLine line(job.title);
  const auto show = [&](const Progress& p) {
    if (!line.due()) return;
    line.show(static_cast<double>(p.step), static_cast<double>(p.steps),
              rfs::format("step {}/{}  loss {:.4f}{}  lr {:.2e}  {} tok/s  {} left", p.step, p.steps, p.loss,
                          p.validation ? "  validation " + training.validation_text(*p.validation) : "",
                          p.learning_rate, count(p.tokens_per_second), duration(p.seconds_left)));
  };
  return training.run(program, show, [&](const std::string& text) { line.finish(text); });
}

bool train_together(const std::vector<Job>& jobs, const Program& program) {
  std::list<Training> made;
  std::vector<Training*> trainings;
  for (const Job& job : jobs) trainings.push_back(&made.emplace_back(job));
  const auto title = rfs::format("{} runs", jobs.size());
  open(title, trainings);
  SharedProgress shared(title, jobs.size());
  std::vector<std::exception_ptr> failures(jobs.size());
  std::atomic<bool> stopped = false;
  {
    std::vector<std::jthread> threads;
    for (size_t i = 0; i < jobs.size(); ++i) {
      threads.emplace_back([&, i] {
        try {
          const auto show = [&](const Progress& p) {
            shared.show(i, {p.step, p.steps, p.tokens_per_second, p.seconds_left});
          };
          const auto finish = [&](const std::string& text) { shared.finish(i, jobs[i].title, text); };
          if (!trainings[i]->run(program, show, finish)) stopped = true;
        } catch (const std::exception& error) {
          failures[i] = std::current_exception();
          shared.finish(i, jobs[i].title, "failed: " + first_line(error.what()));
        }
      });
    }
  }
  const auto failed = std::find_if(failures.begin(), failures.end(), [](const auto& failure) { return bool(failure); });
  if (failed != failures.end()) std::rethrow_exception(*failed);
  return !stopped;
}

}  // namespace

Provenance libraries() {
  return {{"libtorch", TORCH_VERSION}, {"threads", std::to_string(at::get_num_threads())}};
}

std::string processor_text() {
  return rfs::format("{} threads, {}", at::get_num_threads(), at::get_cpu_capability());
}

void check_jobs(const std::vector<Job>& jobs, const Program& program) {
  std::set<fs::path> folders;
  for (const Job& job : jobs) {
    if (!folders.insert(fs::weakly_canonical(job.folder)).second) {
      throw Error(rfs::format("{}: each run must have a folder of its own, got two for this one", job.folder.string()));
    }
    require_apart(job.folder, true);
    require_run_folder(job.folder);
  }
  std::map<std::string, Sizes> known;
  for (const Job& job : jobs) check_job(job, known, program.ranks->size());
}

bool train_jobs(const std::vector<Job>& jobs, bool together, const Program& program) {
  std::vector<Job> open;
  for (const Job& job : jobs) {
    if (any(*program.ranks, program.ranks->first() && already_trained(job))) continue;
    if (together) {
      open.push_back(job);
    } else if (!train_alone(job, program)) {
      return false;
    }
  }
  return open.empty() || train_together(open, program);
}

}  // namespace rfs
