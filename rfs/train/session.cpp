#include "rfs/train/session.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>

#include "rfs/core/error.h"
#include "rfs/model/store.h"

namespace rfs {
namespace {

using Clock = std::chrono::steady_clock;

/// What a run has counted so far, besides the trainer's state.
struct Totals {
  int64_t tokens = 0;
  double seconds = 0;
  double loss_sum = 0;  // since the last line of metrics
  int64_t loss_count = 0;
};

constexpr const char* format_name = "rfs checkpoint 1";

void write_checkpoint(const Run& run, const Trainer& trainer, const Totals& totals) {
  TensorFile file = trainer.state();
  file.metadata = {{"format", format_name},
                   {"settings", run.settings()},
                   {"tokens", std::to_string(totals.tokens)},
                   {"seconds", fmt::format("{}", totals.seconds)},
                   {"loss_sum", fmt::format("{}", totals.loss_sum)},
                   {"loss_count", std::to_string(totals.loss_count)}};
  write_tensors(run.file("checkpoint.safetensors"), file);
}

Totals read_checkpoint(const Run& run, Trainer& trainer) {
  const auto path = run.file("checkpoint.safetensors");
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return {};
  const TensorFile file = read_tensors(path);
  try {
    if (file.metadata.at("format") != format_name || file.metadata.at("settings") != run.settings()) {
      throw Error(fmt::format(
          "{}: must be a checkpoint of this run, got one of other settings; remove it to start again", path.string()));
    }
    trainer.restore(file, path.string());
    return {std::stoll(file.metadata.at("tokens")), std::stod(file.metadata.at("seconds")),
            std::stod(file.metadata.at("loss_sum")), std::stoll(file.metadata.at("loss_count"))};
  } catch (const std::logic_error&) {  // no such key, or not a number
    throw Error(fmt::format("{}: must be a checkpoint of this run, got a file with other metadata", path.string()));
  }
}

}  // namespace

std::optional<TrainRecord> train(const Run& run, Decoder& decoder, Trainer& trainer, const TrainOptions& options,
                                 int64_t trained_length, const TrainHooks& hooks) {
  Totals totals = read_checkpoint(run, trainer);
  run.keep_metrics(trainer.updates());
  const double seconds_before = totals.seconds;
  const int64_t updates_before = trainer.updates();
  const auto begin = Clock::now();
  double last_loss = 0;
  int64_t tokens_since = 0;
  auto window_begin = begin;
  while (trainer.updates() < options.steps) {
    const Trainer::Step step = trainer.step();
    const int64_t done = trainer.updates();
    const auto now = Clock::now();
    totals.tokens += step.tokens;
    totals.seconds = seconds_before + std::chrono::duration<double>(now - begin).count();
    totals.loss_sum += step.loss;
    tokens_since += step.tokens;
    last_loss = totals.loss_sum / static_cast<double>(++totals.loss_count);

    const double window = std::chrono::duration<double>(now - window_begin).count();
    const double seconds_a_step = (totals.seconds - seconds_before) / static_cast<double>(done - updates_before);
    const Progress progress{done,
                            options.steps,
                            last_loss,
                            step.learning_rate,
                            static_cast<double>(tokens_since) / std::max(window, 1e-9),
                            seconds_a_step * static_cast<double>(options.steps - done)};
    hooks.progress(progress);
    if (done % options.log_every == 0 || done == options.steps) {
      run.add(Metric{done, last_loss, step.learning_rate, step.gradient_norm, progress.tokens_per_second});
      totals.loss_sum = 0;
      totals.loss_count = tokens_since = 0;
      window_begin = now;
    }
    const bool stop = done < options.steps && hooks.stop();
    if (stop || (done % options.checkpoint_every == 0 && done < options.steps)) write_checkpoint(run, trainer, totals);
    if (stop) return std::nullopt;
  }
  if (!decoder.parameters().flat().isfinite().all().item<bool>()) {
    throw Error(
        fmt::format("train: weights must stay finite, got others after step {}; try a lower train.learning_rate",
                    trainer.updates()));
  }
  save_model(run.file("model.safetensors"), decoder, run.settings(), trained_length);
  TrainRecord record;
  record.steps = trainer.updates();
  record.tokens = totals.tokens;
  record.trained_length = trained_length;
  record.parameters = decoder.parameters().size();
  record.seconds = totals.seconds;
  record.loss = last_loss;
  return record;
}

}  // namespace rfs
