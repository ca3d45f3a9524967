#include "rfs/train/torch_trainer.h"

#include <cmath>

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/core/memory.h"
#include "rfs/train/schedule.h"
#include "rfs/train/state.h"

namespace rfs {
namespace {

/// Peak memory in bytes of a forward and backward pass over `tokens` tokens with `targets` targets.
double activation_bytes(const DecoderOptions& o, int64_t vocabulary, double tokens, double targets) {
  const auto width = static_cast<double>(*o.width), inner = static_cast<double>(o.heads * o.head_width);
  const auto feed = static_cast<double>(*o.feed_width), layers = static_cast<double>(*o.layers);
  const bool drops = o.dropout > 0;
  // What a block keeps for the backward pass: the inputs of its norms and linear maps, q, k, v and the attention
  // output, the hidden layer before and after the activation, and the dropout factors.
  const double block = (drops ? 6 : 4) * width + 4 * inner +
                       (drops                                ? 3
                        : *o.activation == FeedForward::relu ? 1
                        : is_gated(*o.activation)            ? 4
                                                             : 2) *
                           feed;
  const double ends = (drops ? 6 : 3) * width;
  const double passing = 2 * std::max(3 * inner + width, 2 * feed);  // gradients, and dropout factors in double
  return 4 * (tokens * (layers * block + ends + passing) + 3 * targets * static_cast<double>(vocabulary));
}

/// Upper estimate of a sum of `count` draws of size(i) from `all` examples: three standard deviations above the mean.
template <class Size>
double large_sum(int64_t all, int64_t count, const Size& size) {
  double sum = 0, squares = 0;
  for (int64_t i = 0; i < all; ++i) {
    const auto value = static_cast<double>(size(i));
    sum += value;
    squares += value * value;
  }
  const auto n = static_cast<double>(all), draws = static_cast<double>(count), mean = sum / n;
  return draws * mean + 3 * std::sqrt(draws * std::max(0.0, squares / n - mean * mean));
}

}  // namespace

TorchTrainer::TorchTrainer(Decoder& decoder, const PositionTracks& positions, const Examples& examples,
                           int64_t trained_length, const TrainOptions& options, const Ranks& ranks,
                           std::shared_ptr<const OptimizerRule> optimizer)
    : decoder_(decoder),
      positions_(positions),
      examples_(examples),
      trained_length_(trained_length),
      options_(options),
      ranks_(ranks),
      seed_(static_cast<uint64_t>(*options.seed)),
      order_(examples.size(), seed_),
      optimizer_(decoder.parameters(), options, std::move(optimizer)) {}

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
  if (ranks_.size() > 1) sum_over_ranks(step);
  update(step);
  return step;
}

void TorchTrainer::update(Step& step) {
  step.learning_rate = learning_rate(options_, updates());
  if (std::isfinite(step.loss)) step.gradient_norm = optimizer_.update(step.learning_rate);
  require_finite(step);
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
  const torch::Tensor& gradient = decoder_.parameters().gradient();
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
  return [&parameters = decoder_.parameters(), state = optimizer_.state()] { return pack_state(parameters, state); };
}

void TorchTrainer::restore(const TensorFile& file, const std::string& where) {
  optimizer_.restore(unpack_state(decoder_.parameters(), optimizer_.rule().state_names(), file, options_.steps, where));
}

std::string TorchTrainer::device_text() const {
  return decoder_.device().is_cpu() ? "CPU, float32" : "GPU, float32, reference path";
}

Trainer::Memory TorchTrainer::memory() const {
  const auto tokens = [&](int64_t i) { return static_cast<int64_t>(examples_.row(i).size()) - 1; };
  const auto targets = [&](int64_t i) { return tokens(i) + 1 - examples_.answer(i); };
  const double state = 4.0 * static_cast<double>(decoder_.parameters().size());
  const int64_t at_once = std::min(options_.batch / ranks_.size(), *options_.micro_batch);
  const int64_t counted = examples_.window() ? 1 : examples_.size();  // all windows have the same size
  // Weights, gradient and optimizer state; plus a snapshot of all but the gradient.
  const auto copies = static_cast<double>(3 + 2 * optimizer_.rule().state_names().size());
  return {copies * state + activation_bytes(decoder_.options(), decoder_.vocabulary(),
                                            large_sum(counted, at_once, tokens), large_sum(counted, at_once, targets)),
          machine_memory()};
}

}  // namespace rfs
