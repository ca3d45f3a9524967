#include "rfs/train/trainer.h"

#include <fmt/format.h>

#include <cmath>

#include "rfs/core/error.h"
#include "rfs/model/store.h"
#include "rfs/train/schedule.h"

namespace rfs {

Trainer::Trainer(Decoder& decoder, const PositionIndexing& indexing, const Examples& examples, int64_t trained_length,
                 const TrainOptions& options)
    : decoder_(decoder),
      indexing_(indexing),
      examples_(examples),
      trained_length_(trained_length),
      options_(options),
      seed_(static_cast<uint64_t>(*options.seed)),
      order_(examples.size(), seed_),
      optimizer_(decoder.parameters(), options) {}

Batch Trainer::batch(int64_t update) {
  std::vector<Row> rows;
  std::vector<float> positions;
  for (int64_t i = 0; i < options_.batch; ++i) {
    const int64_t t = update * options_.batch + i, example = order_(t);
    const auto sequence = examples_.row(example);
    rows.push_back(sequence_row(sequence, examples_.answer(example)));
    const size_t begin = positions.size();
    positions.resize(begin + sequence.size());
    Stream stream(seed_, "positions", static_cast<uint64_t>(t));
    indexing_.train(stream, trained_length_, std::span(positions).subspan(begin));
    positions.pop_back();  // drawn for the last token too, which is never read
  }
  return pack(rows, positions);
}

Dropout Trainer::dropout(int64_t update) const {
  Dropout dropout{decoder_.options().dropout, stream_key(seed_, "dropout"), {}};
  for (int64_t i = 0; i < options_.batch; ++i)
    dropout.samples.push_back(static_cast<uint64_t>(update * options_.batch + i));
  return dropout;
}

Trainer::Step Trainer::step() {
  const int64_t update = updates();
  const Batch data = batch(update);
  const torch::Tensor loss = decoder_.loss(data, dropout(update));
  loss.backward();
  Step step;
  step.loss = loss.item<double>();
  step.learning_rate = learning_rate(options_, update);
  if (std::isfinite(step.loss)) step.gradient_norm = optimizer_.update(step.learning_rate);
  if (!std::isfinite(step.loss) || !std::isfinite(step.gradient_norm)) {
    throw Error(
        fmt::format("train: loss and gradient must stay finite, got loss {} and gradient norm {} at step {}; try a "
                    "lower train.learning_rate",
                    step.loss, step.gradient_norm, update + 1));
  }
  step.tokens = data.tokens();
  return step;
}

TensorFile Trainer::state() const {
  TensorFile file = weights(decoder_);
  file.tensors.emplace_back("optimizer.first", optimizer_.first_moment());
  file.tensors.emplace_back("optimizer.second", optimizer_.second_moment());
  file.tensors.emplace_back("optimizer.updates", torch::tensor({updates()}, torch::kInt64));
  return file;
}

void Trainer::restore(const TensorFile& state, const std::string& where) {
  const auto* first = state.find("optimizer.first");
  const auto* second = state.find("optimizer.second");
  const auto* updates = state.find("optimizer.updates");
  if (!first || !second || !updates || first->sizes() != optimizer_.first_moment().sizes() ||
      second->sizes() != first->sizes() || updates->numel() != 1 || updates->scalar_type() != torch::kInt64 ||
      updates->item<int64_t>() < 0 || updates->item<int64_t>() >= options_.steps) {
    throw Error(fmt::format("{}: must be a checkpoint of this run, got other tensors", where));
  }
  set_weights(decoder_, state, where);
  optimizer_.restore(*first, *second, updates->item<int64_t>());
}

}  // namespace rfs
