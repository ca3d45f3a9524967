#include "rfs/run/training.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <list>
#include <map>
#include <optional>
#include <thread>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/core/temporary.h"
#include "rfs/core/words.h"
#include "rfs/eval/exact_match.h"
#include "rfs/eval/loss.h"
#include "rfs/records/run.h"
#include "rfs/records/validation_record.h"
#include "rfs/report/table.h"
#include "rfs/run/data.h"
#include "rfs/run/libraries.h"
#include "rfs/run/lock.h"
#include "rfs/run/source.h"
#include "rfs/run/stored_settings.h"
#include "rfs/train/make_trainer.h"
#include "rfs/train/session.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

/// Reports the start and end of training while it lives.
class TrainingScope {
 public:
  TrainingScope(RunEvents& events, const std::string& title, const std::vector<std::string>& jobs) : events_(events) {
    events_.training_begins(title, jobs);
  }
  ~TrainingScope() { events_.training_over(); }
  TrainingScope(const TrainingScope&) = delete;
  TrainingScope& operator=(const TrainingScope&) = delete;

 private:
  RunEvents& events_;
};

/// The first `count` examples of each length.
Examples first_of_each_length(const Examples& all, int64_t count) {
  Examples first;
  std::map<int64_t, int64_t> taken;
  for (int64_t i = 0; i < all.size(); ++i) {
    if (taken[all.length(i)]++ < count) first.add(all.row(i), all.answer(i), all.length(i));
  }
  return first;
}

/// A job with its data, model and trainer in memory.
class TrainingJob {
 public:
  TrainingJob(const Job& job, DataCache& cache, const Ranks& ranks = Ranks::alone())
      : job_(job),
        ranks_(ranks),
        shared_data_(cache.get(job.settings)),
        data_(*shared_data_),
        data_hash_(data_.task->data_hash()),
        positions_(run_tracks(job.settings, shared_data_)),
        examples_(data_.examples(Split::train)),
        validation_(job.settings.train.validate_every > 0 ? data_.examples(Split::validation) : Examples()),
        spec_(job.settings.spec(data_.tokenizer->size(), examples_.trained_length())),
        optimizer_(job.settings.optimizer.make()),
        setup_(train_setup(spec_, job.settings.train, ranks.size(), *optimizer_, examples_.tokens().size_bytes())),
        decoder_(spec_, torch::kFloat32, setup_.decoder) {
    const TrainOptions& train = job.settings.train;
    const auto seed = static_cast<uint64_t>(*train.seed);
    decoder_.initialise(seed);
    if (!train.from->empty()) take_weights();
    std::shared_ptr<Adapters> adapters;
    if (train.lora > 0) {
      adapters = std::make_shared<Adapters>(decoder_, *train.lora, *train.lora_alpha, seed, match_.fresh);
    }
    trainer_ = make_trainer(setup_, decoder_, positions_, examples_, examples_.trained_length(), train, ranks,
                            optimizer_, std::move(adapters));
    if (validation_.size() > 0 && train.validate_longer > 0 && !language()) {
      longer_ = first_of_each_length(data_.examples(Split::test), *train.validate_longer);
    }
    for (const Examples* examples : {&validation_, &longer_}) {
      if (examples->size() == 0 || !ranks.first()) continue;
      const auto& eval = job.settings.eval;
      const auto all = static_cast<int64_t>(examples->tokens().size());  // if planned; more tokens if current
      const int64_t together =
          *eval.n_in == InputLength::planned ? std::min<int64_t>(eval.batch_tokens, all) : eval.batch_tokens;
      trainer_->reserve(std::max(together, examples->longest()));
    }
  }

  Trainer::Memory memory() const { return trainer_->memory(); }
  /// True if ranks on the same host share the memory.
  bool shares_memory() const { return setup_.tier == Tier::reference && setup_.decoder.is_cpu(); }
  std::string ranks_text(const Neighbours& here) const {
    if (ranks_.size() == 1) return "";
    return rfs::format(", {} ranks{}", ranks_.size(), here.hosts > 1 ? rfs::format(" on {} hosts", here.hosts) : "");
  }
  /// What the weights come from; "" if they are random.
  std::string source_text() const { return source_ ? match_.text(source_->path()) : ""; }
  const std::string& title() const { return job_.title; }
  std::string device_text() const { return trainer_->device_text() + (setup_.note.empty() ? "" : ": " + setup_.note); }

  /// Locks the run's folder for this process and writes its first files.
  void open() {
    const Run run(job_.folder);
    require_writable(job_.folder);
    claim_.emplace(job_.folder, FolderGuard::Others::refused);
    if (!claim_->held()) {
      throw Error(
          rfs::format("{}: another process is training this run; wait until it ends or stop it", job_.folder.string()));
    }
    const fs::path data_file = run.file("data.sha256");
    if (!data_hash_.empty() && fs::exists(data_file) && read_file(data_file) != data_hash_ + "\n") {
      throw Error(rfs::format(
          "{}: the data in task.folder changed since this run began; choose another --out or remove the run",
          job_.folder.string()));
    }
    const fs::path source_file = run.file("source.sha256");
    if (source_) source_hash_ = source_->hash();
    if (source_ && fs::exists(source_file) && read_file(source_file) != source_hash_ + "\n") {
      throw Error(
          rfs::format("{}: the weights of train.from ({}) changed since this run began; choose another --out or "
                      "remove the run",
                      job_.folder.string(), source_->path()));
    }
    write_file(run.file("settings.toml"), job_.settings.toml());  // first: this file makes the folder a run
    if (source_) write_file(source_file, source_hash_ + "\n");
    if (!data_hash_.empty()) write_file(data_file, data_hash_ + "\n");
    if (const int64_t words = data_.task->vocabulary().names; words > 0) {
      write_file(run.file("words.txt"), join(data_.tokenizer->words(words), "\n") + "\n");
    }
  }

  /// Trains the opened run, which is job `number`. Returns false if it was stopped.
  bool run(const RunContext& context, size_t number) {
    const Run run(job_.folder);
    TrainHooks hooks = shared_hooks(context);
    hooks.progress = [&](const Progress& progress) { context.events->training_progress(number, progress); };
    const auto ended = [&](const std::string& text) { context.events->job_ended(number, text); };
    if (validation_.size() > 0) hooks.validate = [this](const Predictor& predictor) { return validate(predictor); };
    hooks.validates_loss = language();
    auto record = train(run, decoder_, *trainer_, job_.settings.train, examples_.trained_length(), hooks);
    if (!record) {
      ended(rfs::format("stopped after step {}; run the same command to resume", trainer_->updates()));
      return false;
    }
    record->provenance = provenance(context.command, libraries());
    record->provenance["device"] = trainer_->device_text();
    if (!data_hash_.empty()) record->provenance["data"] = data_hash_;
    if (source_) {
      record->provenance["source"] = fs::absolute(source_->path()).lexically_normal().string();
      record->provenance["source_sha256"] = source_hash_;
    }
    if (ranks_.size() > 1) record->provenance["ranks"] = std::to_string(ranks_.size());
    run.write(*record);
    remove_leftovers(run);
    const auto best = record->best_validation;
    ended(rfs::format(
        "trained: {} steps in {}, loss {:.4f}{}, {} tok/s", record->steps, duration_text(record->seconds), record->loss,
        best ? rfs::format(", best validation {} at step {}", validation_text(*best, language()), record->best_step)
             : "",
        count_text(static_cast<double>(record->tokens) / std::max(record->seconds, 1e-9))));
    return true;
  }

  /// Trains along with rank 0, which opened the run and writes it. Returns false if it was stopped.
  bool follow(const RunContext& context) {
    return rfs::follow(Run(job_.folder), *trainer_, job_.settings.train, shared_hooks(context));
  }

  /// A finished run needs neither a checkpoint nor the best weights.
  static void remove_leftovers(const Run& run) {
    std::error_code ignored;
    const auto files = {run.file("best.safetensors"), run.file("checkpoint.safetensors")};
    const auto there = [&](const fs::path& file) { return fs::exists(file, ignored); };
    if (std::none_of(files.begin(), files.end(), there)) return;
    remove_abandoned(run.folder());
    for (const auto& file : files) fs::remove(file, ignored);
  }

 private:
  void take_weights() {
    source_.emplace(*job_.settings.train.from);
    match_ = match(*source_, job_.settings, data_.tokenizer->size(), examples_.trained_length());
    copy_weights(*source_, match_, decoder_);
  }
  bool language() const { return data_.task->language(); }
  TrainHooks shared_hooks(const RunContext& context) const {
    TrainHooks hooks;
    hooks.stop = context.stopped;
    hooks.ranks = &ranks_;
    hooks.same_settings = [this](const std::string& stored) { return has_settings(stored, job_.settings); };
    return hooks;
  }
  double validate(const Predictor& predictor) const {
    const EvalContext model{predictor, positions_, examples_.trained_length(), job_.settings.eval};
    if (language()) return mean_loss(model, validation_);
    const auto right = exact_match(model, validation_, [](int64_t, int64_t) {});
    auto lengths = by_length(validation_, right, true);
    if (longer_.size() > 0) {
      for (const auto& length : by_length(longer_, exact_match(model, longer_), false)) lengths.push_back(length);
    }
    add_validation(job_.folder, {trainer_->updates(), lengths});
    return static_cast<double>(std::count(right.begin(), right.end(), true)) / static_cast<double>(right.size());
  }

  const Job& job_;
  const Ranks& ranks_;
  std::shared_ptr<const RunData> shared_data_;
  const RunData& data_;
  std::string data_hash_;
  PositionTracks positions_;
  Examples examples_, validation_, longer_;
  ModelSpec spec_;
  std::shared_ptr<const OptimizerRule> optimizer_;
  TrainSetup setup_;
  Decoder decoder_;
  std::optional<Source> source_;
  SourceMatch match_;
  std::string source_hash_;
  std::unique_ptr<Trainer> trainer_;
  std::optional<FolderGuard> claim_;
};

bool already_trained(const Job& job, RunEvents& events) {
  const Run run(job.folder);
  if (!run.trained()) return false;
  TrainingJob::remove_leftovers(run);
  const auto record = run.train_record();
  events.note(job.title, rfs::format("already trained: {} steps, loss {:.4f}, in {}", record.steps, record.loss,
                                     job.folder.string()));
  return true;
}

/// Opens runs that train at the same time and reports the memory that they need, together with other ranks on this
/// host. Throws Error if the device has less.
void open(const std::string& title, const std::vector<TrainingJob*>& trainings, RunEvents& events,
          const Neighbours& here = {}) {
  Trainer::Memory memory;
  for (const TrainingJob* training : trainings) {
    const auto own = training->memory();
    memory = {memory.needed + own.needed, own.available};
  }
  const TrainingJob& one = *trainings.front();
  if (one.shares_memory()) memory.needed *= here.count;
  const auto text = rfs::format("about {} of {}", bytes_text(memory.needed), bytes_text(memory.available));
  if (memory.needed > memory.available) {
    throw Error(
        rfs::format("memory: model and batch need {}; lower train.batch or train.micro_batch, or "
                    "the model's sizes",
                    text));
  }
  for (TrainingJob* training : trainings) training->open();
  for (const TrainingJob* training : trainings) {
    if (const auto source = training->source_text(); !source.empty()) events.note(training->title(), source);
  }
  const std::string parts = trainings.size() == 1 ? one.memory().parts : "";
  events.note(title, rfs::format("{}{}; memory: {}{}", one.device_text(), one.ranks_text(here), text,
                                 parts.empty() ? "" : " (" + parts + ")"));
}

bool train_alone(const Job& job, const RunContext& context) {
  const Ranks& ranks = *context.ranks;
  std::optional<TrainingJob> made;
  agree(ranks, [&] { made.emplace(job, *context.data, ranks); });
  TrainingJob& training = *made;
  require_same(ranks, "train.device", training.device_text());
  const Neighbours here = neighbours(ranks);
  agree(ranks, [&] {
    if (ranks.first()) open(job.title, {&training}, *context.events, here);
  });
  const TrainingScope scope(*context.events, job.title, {job.title});
  return ranks.first() ? training.run(context, 0) : training.follow(context);
}

bool train_together(const std::vector<Job>& jobs, const RunContext& context) {
  std::list<TrainingJob> made;
  std::vector<TrainingJob*> trainings;
  std::vector<std::string> titles;
  for (const Job& job : jobs) {
    trainings.push_back(&made.emplace_back(job, *context.data));
    titles.push_back(job.title);
  }
  const auto title = rfs::format("{} runs", jobs.size());
  open(title, trainings, *context.events);
  const TrainingScope scope(*context.events, title, titles);
  std::vector<std::exception_ptr> failures(jobs.size());
  std::atomic<bool> stopped = false;
  {
    std::vector<std::jthread> threads;
    for (size_t i = 0; i < jobs.size(); ++i) {
      threads.emplace_back([&, i] {
        try {
          if (!trainings[i]->run(context, i)) stopped = true;
        } catch (const std::exception& error) {
          failures[i] = std::current_exception();
          context.events->job_ended(i, "failed: " + first_line(error.what()));
        }
      });
    }
  }
  const auto failed = std::find_if(failures.begin(), failures.end(), [](const auto& failure) { return bool(failure); });
  if (failed != failures.end()) std::rethrow_exception(*failed);
  return !stopped;
}

}  // namespace

std::string validation_text(double value, bool is_loss) {
  return is_loss ? rfs::format("loss {:.4f}", value) : share_text(value);
}

bool train_jobs(const std::vector<Job>& jobs, bool together, const RunContext& context) {
  std::vector<Job> open;
  for (const Job& job : jobs) {
    if (any(*context.ranks, context.ranks->first() && already_trained(job, *context.events))) continue;
    if (together) {
      open.push_back(job);
    } else if (!train_alone(job, context)) {
      return false;
    }
  }
  return open.empty() || train_together(open, context);
}

}  // namespace rfs
