#include "rfs/eval/loss.h"

#include <algorithm>

namespace rfs {
namespace {

/// Calls `body(row, losses of its labels)` for each row.
void for_each_loss(const EvalContext& model, std::span<const InferenceRow> rows,
                   const std::function<void(int64_t, int64_t)>& progress,
                   const std::function<void(size_t, std::span<const float>)>& body) {
  for_each_batch(model.options.batch_tokens, rows, [&](size_t first, size_t last) {
    const auto losses = model.predictor.losses(inference_batch(model, rows.subspan(first, last - first))).contiguous();
    const float* next = losses.const_data_ptr<float>();
    for (size_t r = first; r < last; ++r) {
      const size_t count = rows[r].row.labels.size();
      body(r, {next, count});
      next += count;
    }
    progress(static_cast<int64_t>(last), static_cast<int64_t>(rows.size()));
  });
}

/// n_in is the number of tokens that the model reads, as in likelihood.h. The last token is only a label.
InferenceRow inference_row(std::span<const int32_t> tokens, int64_t answer, int64_t number) {
  return {sequence_row(tokens, answer), static_cast<int64_t>(tokens.size()) - 1, static_cast<uint64_t>(number)};
}

/// Fills in loss and targets of `parts` from rows that predict all of their tokens but the first.
void measure(const EvalContext& model, std::span<const InferenceRow> rows,
             const std::function<void(int64_t, int64_t)>& progress, std::vector<EvalRecord::Loss>& parts) {
  for_each_loss(model, rows, progress, [&](size_t r, std::span<const float> losses) {
    const auto input = static_cast<int64_t>(rows[r].row.labels.size());
    for (auto& part : parts) {
      if (part.input != input) continue;
      for (int64_t place = part.begin; place < part.end; ++place) part.loss += losses[static_cast<size_t>(place)];
      part.targets += part.end - part.begin;
    }
  });
  for (auto& part : parts) part.loss /= static_cast<double>(part.targets);
}

}  // namespace

double mean_loss(const EvalContext& model, const Examples& examples,
                 const std::function<void(int64_t, int64_t)>& progress) {
  std::vector<InferenceRow> rows;
  for (int64_t i = 0; i < examples.size(); ++i) {
    rows.push_back(inference_row(examples.row(i), examples.answer(i), i));
  }
  double sum = 0;
  int64_t targets = 0;
  for_each_loss(model, rows, progress, [&](size_t, std::span<const float> losses) {
    for (const float loss : losses) sum += loss;
    targets += static_cast<int64_t>(losses.size());
  });
  return sum / static_cast<double>(targets);
}

std::vector<EvalRecord::Loss> loss_by_length(const EvalContext& model, const Examples& examples, int64_t window,
                                             const std::function<void(int64_t, int64_t)>& progress) {
  std::vector<InferenceRow> rows;
  std::vector<int64_t> ends;
  for (const int64_t part : {window / 4, window / 2}) {
    if (part > 0 && (ends.empty() || part > ends.back())) ends.push_back(part);
  }
  for (int64_t end = window; end < examples.longest(); end *= 2) ends.push_back(end);
  std::vector<EvalRecord::Loss> parts;
  for (const int64_t input : ends) {
    if (input < window / 2) continue;
    for (int64_t i = 0; i < examples.size(); ++i) {
      rows.push_back(inference_row(examples.row(i).first(static_cast<size_t>(input) + 1), 1, i));
    }
    for (size_t k = 0; k < ends.size() && ends[k] <= input; ++k) {
      parts.push_back({input, k == 0 ? 0 : ends[k - 1], ends[k], 0, 0});
    }
  }
  measure(model, rows, progress, parts);
  return parts;
}

std::vector<EvalRecord::Loss> loss_of_last_tokens(const EvalContext& model, const Examples& examples, int64_t window,
                                                  const std::function<void(int64_t, int64_t)>& progress) {
  int64_t longest = window;
  while (2 * longest < examples.longest()) longest *= 2;
  const int64_t last = (window + 1) / 2;
  std::vector<InferenceRow> rows;
  std::vector<EvalRecord::Loss> parts;
  for (int64_t input = window; input <= longest; input *= 2) {
    for (int64_t i = 0; i < examples.size(); ++i) {
      const auto row = examples.row(i).first(static_cast<size_t>(longest) + 1);
      rows.push_back(inference_row(row.last(static_cast<size_t>(input) + 1), 1, i));
    }
    parts.push_back({input, input - last, input, 0, 0});
  }
  measure(model, rows, progress, parts);
  return parts;
}

}  // namespace rfs
