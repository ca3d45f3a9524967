#include "rfs/train/session.h"

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "rfs/core/error.h"
#include "rfs/core/events.h"
#include "rfs/core/format.h"
#include "rfs/core/temporary.h"
#include "rfs/model/store.h"
#include "rfs/train/checkpoint.h"

namespace rfs {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// The next update after `done` at which a log line, checkpoint or validation is due.
int64_t next_event(const TrainOptions& options, int64_t done) {
  int64_t next = options.steps;
  for (const int64_t every : {*options.log_every, *options.checkpoint_every, *options.validate_every}) {
    if (every > 0) next = std::min(next, (done / every + 1) * every);
  }
  return next;
}

/// Makes the next updates: up to the next event, but no more than the poll interval, so that Ctrl-C takes effect soon.
std::vector<Trainer::Step> advance(Trainer& trainer, const TrainOptions& options) {
  const int64_t done = trainer.updates();
  return trainer.advance(std::min(trainer.poll_interval(), next_event(options, done) - done));
}

/// Restores the checkpoint, if any, on all ranks.
void restore(Checkpoints& checkpoints, const Run& run, Trainer& trainer, Totals& totals, bool best,
             const Ranks& ranks) {
  agree(ranks, [&] { checkpoints.restore(trainer, totals, best); });
  require_same(ranks, run.file("checkpoint.safetensors").string(), rfs::format("step {}", trainer.updates()));
}

class Session {
 public:
  Session(const Run& run, Trainer& trainer, const TrainOptions& options, const TrainHooks& hooks, double block_matrices,
          double head_matrix)
      : run_(run),
        trainer_(trainer),
        options_(options),
        hooks_(hooks),
        keeps_best_(*options.checkpoint == KeptWeights::best),
        checkpoints_(run, hooks.same_settings),
        block_matrices_(block_matrices),
        head_matrix_(head_matrix) {
    remove_abandoned(run.folder());
    restore(checkpoints_, run, trainer, totals_, keeps_best_, *hooks.ranks);
    run.keep_metrics(trainer.updates());
    std::filesystem::create_directories(run.file("events"));
    events_.emplace(run.file("events"), trainer.updates() + 1);
    begin_ = window_begin_ = Clock::now();
    seconds_before_ = totals_.seconds;
    updates_before_ = trainer.updates();
  }

  /// Trains to the end. Returns false if it was stopped before.
  bool run() {
    while (trainer_.updates() < options_.steps) {
      const auto steps = advance(trainer_, options_);
      count(steps);
      if (advanced(steps.back())) return false;
    }
    checkpoints_.wait();
    return true;
  }

  /// Puts the weights to keep into `decoder` and returns the record of the run.
  TrainRecord finish(Decoder& decoder) {
    TrainRecord record;
    record.steps = trainer_.updates();
    record.model_step = keeps_best_ ? totals_.best_step : record.steps;
    trainer_.put_weights(decoder, keeps_best_ ? checkpoints_.best(record.model_step) : trainer_.snapshot()(), "train");
    if (!decoder.parameters().flat().isfinite().all().item<bool>()) {
      throw Error(rfs::format("train: weights are NaN or infinite after step {}; try a lower train.learning_rate",
                              record.model_step));
    }
    record.tokens = totals_.tokens;
    record.parameters = decoder.parameters().size();
    record.seconds = totals_.seconds;
    record.loss = loss_;
    if (totals_.best_step > 0) record.best_validation = totals_.best_validation;
    record.best_step = totals_.best_step;
    return record;
  }

  std::string last_good() { return checkpoints_.last_good(); }

 private:
  bool validates(int64_t step) const {
    return hooks_.validate && options_.validate_every > 0 &&
           (step % options_.validate_every == 0 || step == options_.steps);
  }

  void count(const std::vector<Trainer::Step>& steps) {
    for (const auto& step : steps) {
      totals_.tokens += step.tokens;
      totals_.loss_sum += step.loss;
      tokens_since_ += step.tokens;
      operations_since_ +=
          6 * (block_matrices_ * static_cast<double>(step.tokens) + head_matrix_ * static_cast<double>(step.targets));
    }
    totals_.loss_count += static_cast<int64_t>(steps.size());
    totals_.seconds = seconds_before_ + seconds_since(begin_);
    loss_ = totals_.loss_sum / static_cast<double>(totals_.loss_count);
  }

  /// Does what is due after `step`: report progress, record metrics, validate, save. Returns true if the run should
  /// stop.
  bool advanced(const Trainer::Step& step) {
    const int64_t done = trainer_.updates();
    const double seconds_per_step = (totals_.seconds - seconds_before_) / static_cast<double>(done - updates_before_);
    const Progress progress{done,
                            options_.steps,
                            loss_,
                            step.learning_rate,
                            static_cast<double>(tokens_since_) / std::max(seconds_since(window_begin_), 1e-9),
                            seconds_per_step * static_cast<double>(options_.steps - done),
                            validation_,
                            hooks_.validates_loss};
    hooks_.progress(progress);

    const bool ends = done == options_.steps, validated = validates(done);
    if (validated) validation_ = hooks_.validate(trainer_.predictor());
    if (validated || ends || done % options_.log_every == 0) {
      record({done, loss_, step.learning_rate, step.gradient_norm, progress.tokens_per_second,
              validated ? validation_ : std::nullopt});
    }
    const bool stop = !ends && any(*hooks_.ranks, hooks_.stop());
    const bool whole = stop || (!ends && done % options_.checkpoint_every == 0);
    const bool best = keeps_best_ && totals_.best_step == done;
    checkpoints_.look();
    if (whole || best) checkpoints_.save(trainer_, totals_, whole, best);
    if (stop) checkpoints_.wait();
    return stop;
  }

  void record(const Metric& metric) {
    run_.add(metric);
    add_events(metric);
    if (metric.loss > 10 * totals_.lowest_loss + 10) {
      throw Error(
          rfs::format("train: the loss jumped from its lowest, {:.4g}, to {:.4g} at step {}; try a "
                      "lower train.learning_rate",
                      totals_.lowest_loss, metric.loss, metric.step));
    }
    totals_.lowest_loss = std::min(totals_.lowest_loss, metric.loss);
    if (metric.validation && (totals_.best_step == 0 || as_good(*metric.validation))) {
      totals_.best_validation = *metric.validation;
      totals_.best_step = metric.step;
    }
    totals_.loss_sum = 0;
    operations_since_ = 0;
    totals_.loss_count = tokens_since_ = 0;
    window_begin_ = Clock::now();
  }

  bool as_good(double validation) const {
    return hooks_.validates_loss ? validation <= totals_.best_validation : validation >= totals_.best_validation;
  }

  void add_events(const Metric& metric) const {
    const double seconds = std::max(seconds_since(window_begin_), 1e-9);
    events_->add(metric.step, "train/loss", metric.loss);
    events_->add(metric.step, "train/learning_rate", metric.learning_rate);
    events_->add(metric.step, "train/gradient_norm", metric.gradient_norm);
    events_->add(metric.step, "speed/tokens_per_second", metric.tokens_per_second);
    if (const double peak = trainer_.peak(); peak > 0) {
      events_->add(metric.step, "speed/share_of_peak", operations_since_ / seconds / peak);
    }
    if (metric.validation) {
      events_->add(metric.step, hooks_.validates_loss ? "validation/loss" : "validation/exact_match",
                   *metric.validation);
    }
  }

  const Run& run_;
  Trainer& trainer_;
  const TrainOptions& options_;
  const TrainHooks& hooks_;
  bool keeps_best_;
  Totals totals_;
  double loss_ = 0;
  std::optional<double> validation_;
  int64_t tokens_since_ = 0, updates_before_ = 0;
  double seconds_before_ = 0;
  Clock::time_point begin_, window_begin_;
  Checkpoints checkpoints_;
  std::optional<EventFile> events_;
  double block_matrices_, head_matrix_;  // weight elements that multiply each token, and each target
  double operations_since_ = 0;
};

}  // namespace

std::optional<TrainRecord> train(const Run& run, Decoder& decoder, Trainer& trainer, const TrainOptions& options,
                                 int64_t trained_length, const TrainHooks& hooks) {
  if (*options.checkpoint == KeptWeights::best && (!hooks.validate || options.validate_every == 0)) {
    throw Error("train.checkpoint: best needs validation, but nothing is validated; set it to last");
  }
  const auto head = static_cast<double>(decoder.vocabulary() * decoder.options().width);
  const double blocks = static_cast<double>(decoder.parameters().decayed()) - (decoder.options().tied ? 1 : 2) * head;
  Session session(run, trainer, options, hooks, blocks, head);
  try {
    if (!session.run()) return std::nullopt;
    TrainRecord record = session.finish(decoder);
    record.trained_length = trained_length;
    save_model(run.file("model.safetensors"), decoder, run.settings(), trained_length);
    return record;
  } catch (const AgreedError& error) {
    throw AgreedError(rfs::format("{}; {}", error.what(), session.last_good()));
  } catch (const Error& error) {
    throw Error(rfs::format("{}; {}", error.what(), session.last_good()));
  }
}

bool follow(const Run& run, Trainer& trainer, const TrainOptions& options, const TrainHooks& hooks) {
  Checkpoints checkpoints(run, hooks.same_settings);
  Totals totals;
  restore(checkpoints, run, trainer, totals, *options.checkpoint == KeptWeights::best, *hooks.ranks);
  while (trainer.updates() < options.steps) {
    advance(trainer, options);
    if (trainer.updates() < options.steps && any(*hooks.ranks, hooks.stop())) return false;
  }
  return true;
}

}  // namespace rfs
