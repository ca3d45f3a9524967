#include "rfs/eval/rows.h"

namespace rfs {

PositionTracks::Rows inference_positions(const EvalContext& model, const InferenceRow& row, int64_t count) {
  return model.positions.infer(static_cast<uint64_t>(*model.options.seed), row.sample, model.trained_length, row.input,
                               count, row.row.tokens);
}

Batch inference_batch(const EvalContext& model, std::span<const InferenceRow> rows) {
  std::vector<Row> packed;
  std::vector<int64_t> input;
  PositionTracks::Rows positions(model.positions.size());
  for (const InferenceRow& row : rows) {
    packed.push_back(row.row);
    input.push_back(row.input);
    const auto of_row = inference_positions(model, row, static_cast<int64_t>(row.row.tokens.size()));
    for (size_t track = 0; track < positions.size(); ++track) {
      positions[track].insert(positions[track].end(), of_row[track].begin(), of_row[track].end());
    }
  }
  Batch batch = pack(packed, positions);
  batch.input_B = torch::tensor(input, torch::kInt64);
  return batch;
}

void for_each_batch(int64_t limit, std::span<const InferenceRow> rows,
                    const std::function<void(size_t first, size_t last)>& body) {
  for (size_t first = 0; first < rows.size();) {
    size_t last = first;
    int64_t tokens = 0;
    do {
      tokens += rows[last++].input;
    } while (last < rows.size() && tokens + rows[last].input <= limit);
    body(first, last);
    first = last;
  }
}

}  // namespace rfs
