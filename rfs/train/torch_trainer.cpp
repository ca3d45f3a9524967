#include "rfs/train/torch_trainer.h"

#include <cmath>

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/core/memory.h"
#include "rfs/engine/engine.h"
#include "rfs/train/schedule.h"
#include "rfs/train/state.h"

namespace rfs {

TorchTrainer::TorchTrainer(Decoder& decoder, const PositionTracks& positions, const Examples& examples,
                           int64_t trained_length, const TrainOptions& options, const Ranks& ranks,
                           std::shared_ptr<const OptimizerRule> optimizer, std::shared_ptr<Adapters> adapters)
    : decoder_(decoder),
      positions_(positions),
      examples_(examples),
      trained_length_(trained_length),
      options_(options),
      ranks_(ranks),
      seed_(static_cast<uint64_t>(*options.seed)),
      order_(examples.size(), seed_),
      adapters_(std::move(adapters)),
      trained_(adapters_ ? adapters_->parameters() : decoder.parameters()),
      optimizer_(trained_, options, std::move(optimizer)) {}

Batch TorchTrainer::batch(int64_t first, int64_t count) {
  std::vector<Row> rows;
  PositionTracks::Rows positions(positions_.size());
  for (int64_t t = first; t < first + count; ++t) {
    const int64_t example = order_(t);
    const auto sequence = examples_.row(example);
    rows.push_back(sequence_row(sequence, examples_.answer(example)));
    const auto of_row = positions_.train(seed_, static_cast<uint64_t>(t), trained_length_,
                                         static_cast<int64_t>(sequence.size()), sequence);
    for (size_t track = 0; track < positions.size(); ++track) {  // also drawn for the last token, which is never read
      positions[track].insert(positions[track].end(), of_row[track].begin(), of_row[track].end() - 1);
    }
  }
  return pack(rows, positions);
}

Dropout TorchTrainer::dropout(int64_t first, int64_t count) const {
  Dropout dropout{decoder_.options().dropout, stream_key(seed_, "dropout"), {}};
  for (int64_t t = first; t < first + count; ++t) dropout.samples.push_back(static_cast<uint64_t>(t));
  return dropout;
}

Trainer::Step TorchTrainer::step_sizes(int64_t update) const {
  const int64_t all = options_.batch;
  Step step;
  for (int64_t t = update * all; t < (update + 1) * all; ++t) {
    const int64_t example = order_(t), size = static_cast<int64_t>(examples_.row(example).size());
    step.tokens += size - 1;
    step.targets += size - examples_.answer(example);
  }
  return step;
}

Trainer::Step TorchTrainer::step() {
  const int64_t all = options_.batch, update_number = updates();
  Step step = step_sizes(update_number);
  const int64_t own = all / ranks_.size(), begin = update_number * all + ranks_.rank() * own, end = begin + own;
  for (int64_t first = begin; first < end; first += options_.micro_batch) {
    const Batch part = batch(first, std::min(*options_.micro_batch, end - first));
    const double share = static_cast<double>(part.predict_M.size(0)) / static_cast<double>(step.targets);
    const torch::Tensor loss = decoder_.loss(part, dropout(first, part.rows())) * share;
    loss.backward();
    step.loss += loss.item<double>();
  }
  collect_gradient();
  if (ranks_.size() > 1) sum_over_ranks(step);
  update(step);
  return step;
}

void TorchTrainer::update(Step& step) {
  step.learning_rate = learning_rate(options_, updates());
  if (std::isfinite(step.loss)) step.gradient_norm = optimizer_.update(step.learning_rate);
  require_finite(step);
  if (adapters_) adapters_->merge();
}

void TorchTrainer::require_finite(const Step& step) const {
  if (std::isfinite(step.loss) && std::isfinite(step.gradient_norm)) return;
  throw AgreedError(
      rfs::format("train: loss {} or gradient norm {} is not finite at step {}; try a "
                  "lower train.learning_rate",
                  step.loss, step.gradient_norm, updates() + 1));
}

void TorchTrainer::sum_over_ranks(Step& step) const {
  const torch::NoGradGuard no_gradient;
  const torch::Tensor& gradient = trained_.gradient();
  const torch::Tensor on_cpu = gradient.cpu();  // no copy if it is already on the CPU
  ranks_.sum(std::span(on_cpu.data_ptr<float>(), static_cast<size_t>(on_cpu.numel())));
  if (!gradient.is_cpu()) gradient.copy_(on_cpu);
  ranks_.sum(std::span(&step.loss, 1));
}

std::vector<Trainer::Step> TorchTrainer::advance(int64_t count) {
  std::vector<Step> steps;
  for (int64_t i = 0; i < count; ++i) steps.push_back(step());
  return steps;
}

std::function<TensorFile()> TorchTrainer::snapshot() {
  return [&parameters = trained_, state = optimizer_.state()] { return pack_state(parameters, state); };
}

void TorchTrainer::restore(const TensorFile& file, const std::string& where) {
  optimizer_.restore(unpack_state(trained_, optimizer_.rule().state_names(), file, options_.steps, where));
  if (adapters_) adapters_->merge();
}

void TorchTrainer::put_weights(Decoder& decoder, const TensorFile& state, const std::string& where) {
  if (!adapters_) return Trainer::put_weights(decoder, state, where);
  TORCH_CHECK(&decoder == &decoder_, "trainer: adapters belong to the decoder that they adapt");
  const torch::NoGradGuard no_gradient;
  trained_.flat().copy_(flat_weights(trained_, state, where));
  adapters_->merge();
}

std::string TorchTrainer::device_text() const {
  return decoder_.device().is_cpu() ? "CPU, float32" : "GPU, float32, reference path";
}

Trainer::Memory TorchTrainer::memory() const {
  const MemoryEstimate needed = estimate(Tier::reference);
  return {needed.total(), decoder_.device().is_cpu() ? machine_memory() : gpu().bytes, needed.text()};
}

MemoryEstimate TorchTrainer::estimate(Tier tier) const {
  const auto states = static_cast<int64_t>(optimizer_.rule().state_names().size());
  return training_memory({decoder_.spec(), tier, !decoder_.device().is_cpu(), states}, options_,
                         largest_pass(examples_, options_, ranks_.size()));
}

}  // namespace rfs
