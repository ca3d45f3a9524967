#include "rfs/eval/exact_match.h"

#include <map>

namespace rfs {

std::vector<bool> exact_match(const EvalContext& model, const Examples& examples,
                              const std::function<void(int64_t, int64_t)>& progress) {
  const bool planned = *model.options.n_in == InputLength::planned;
  std::vector<InferenceRow> rows;
  std::vector<size_t> example_of;
  for (int64_t i = 0; i < examples.size(); ++i) {
    const auto tokens = examples.row(i);
    const auto size = static_cast<int64_t>(tokens.size()), answer = examples.answer(i);
    const auto add = [&](const Row& row, int64_t input) {
      rows.push_back({row, input, static_cast<uint64_t>(i)});
      example_of.push_back(static_cast<size_t>(i));
    };
    if (planned) {
      add(sequence_row(tokens, answer), size);
    } else {
      for (int64_t step = answer; step < size; ++step) {
        add(sequence_row(tokens.first(static_cast<size_t>(step) + 1), step), step);
      }
    }
  }
  std::vector<bool> right(static_cast<size_t>(examples.size()), true);
  for_each_batch(model.options.batch_tokens, rows, [&](size_t first, size_t last) {
    const Batch batch = inference_batch(model, std::span(rows).subspan(first, last - first));
    const auto hit = model.predictor.best(batch).eq(batch.labels_M).contiguous();
    const bool* next = hit.const_data_ptr<bool>();
    for (size_t r = first; r < last; ++r) {
      for (size_t i = 0; i < rows[r].row.labels.size(); ++i) {
        if (!*next++) right[example_of[r]] = false;
      }
    }
    progress(static_cast<int64_t>(example_of[last - 1]) + 1, examples.size());
  });
  return right;
}

std::vector<EvalRecord::Length> by_length(const Examples& examples, const std::vector<bool>& right, bool trained) {
  std::map<int64_t, EvalRecord::Length> bins;
  for (size_t i = 0; i < right.size(); ++i) {
    const int64_t length = examples.length(static_cast<int64_t>(i));
    auto& bin = bins[length];
    bin.length = length;
    bin.trained = trained;
    bin.total += 1;
    bin.correct += right[i] ? 1 : 0;
  }
  std::vector<EvalRecord::Length> lengths;
  for (const auto& [length, bin] : bins) lengths.push_back(bin);
  return lengths;
}

}  // namespace rfs
