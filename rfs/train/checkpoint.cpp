#include "rfs/train/checkpoint.h"

#include <chrono>

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/train/state.h"

namespace rfs {
namespace {

constexpr const char *whole_format = "rfs checkpoint 1", *best_format = "rfs best 1";

}  // namespace

TensorFile Checkpoints::read_own(const std::string& name, const std::string& format) const {
  const auto path = run_.file(name);
  TensorFile file = read_tensors(path);
  const std::string& settings = file.metadata["settings"];
  const bool same = same_settings_ ? same_settings_(settings) : settings == run_.settings();
  if (file.metadata["format"] != format || !same) {
    throw Error(rfs::format("{}: belongs to another run or other settings; remove it to start again", path.string()));
  }
  return file;
}

void Checkpoints::restore(Trainer& trainer, Totals& totals, bool best) {
  const auto path = run_.file("checkpoint.safetensors");
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return;
  const TensorFile file = read_own("checkpoint.safetensors", whole_format);
  const auto text = [&](const char* key) { return file.metadata.at(key); };
  try {
    totals = {std::stoll(text("tokens")),     std::stod(text("seconds")),     std::stod(text("loss_sum")),
              std::stoll(text("loss_count")), std::stod(text("lowest_loss")), std::stod(text("best_validation")),
              std::stoll(text("best_step"))};
  } catch (const std::logic_error&) {  // no such key, or not a number
    throw Error(rfs::format("{}: this checkpoint belongs to another run (its metadata differs)", path.string()));
  }
  trainer.restore(file, path.string());
  written_ = trainer.updates();
  if (best && totals.best_step > 0) read_own("best.safetensors", best_format);
}

void Checkpoints::save(Trainer& trainer, const Totals& totals, bool whole, bool best) {
  wait();
  writing_ = std::async(std::launch::async, [this, snapshot = trainer.snapshot(), step = trainer.updates(), totals,
                                             whole, best, settings = run_.settings()] {
    TensorFile file = snapshot();
    // Best weights first: if a checkpoint mentions best weights, they are on disk.
    if (best) {
      TensorFile weights = weights_only(file);
      weights.metadata = {{"format", best_format}, {"settings", settings}, {"step", std::to_string(step)}};
      write_tensors(run_.file("best.safetensors"), weights);
    }
    if (!whole) return;
    const auto text = [](double value) { return rfs::format("{}", value); };
    file.metadata = {{"format", whole_format},
                     {"settings", settings},
                     {"tokens", std::to_string(totals.tokens)},
                     {"seconds", text(totals.seconds)},
                     {"loss_sum", text(totals.loss_sum)},
                     {"loss_count", std::to_string(totals.loss_count)},
                     {"lowest_loss", text(totals.lowest_loss)},
                     {"best_validation", text(totals.best_validation)},
                     {"best_step", std::to_string(totals.best_step)}};
    write_tensors(run_.file("checkpoint.safetensors"), file);
    written_ = step;
  });
}

void Checkpoints::wait() {
  if (writing_.valid()) writing_.get();
}

void Checkpoints::look() {
  if (writing_.valid() && writing_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) writing_.get();
}

TensorFile Checkpoints::best(int64_t step) const {
  const auto path = run_.file("best.safetensors");
  TensorFile file = read_own("best.safetensors", best_format);
  if (file.metadata["step"] != std::to_string(step)) {
    throw Error(rfs::format(
        "{}: expected weights of step {}, found step {}; remove it and checkpoint.safetensors to start again",
        path.string(), step, file.metadata["step"]));
  }
  return file;
}

std::string Checkpoints::last_good() {
  if (writing_.valid()) writing_.wait();
  if (written_ == 0) return "there is no good checkpoint yet";
  return rfs::format("the last good checkpoint is of step {}", written_.load());
}

}  // namespace rfs
