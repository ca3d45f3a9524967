#include "rfs/eval/rows.h"

namespace rfs {

std::vector<float> inference_positions(const EvalContext& model, const InferenceRow& row, int64_t count) {
  std::vector<float> positions(static_cast<size_t>(count));
  Stream stream(static_cast<uint64_t>(*model.options.seed), "inference positions", row.sample);
  model.indexing.infer(stream, model.trained_length, row.input, positions);
  return positions;
}

Batch inference_batch(const EvalContext& model, std::span<const InferenceRow> rows) {
  std::vector<Row> packed;
  std::vector<float> positions;
  for (const InferenceRow& row : rows) {
    packed.push_back(row.row);
    const auto of_row = inference_positions(model, row, static_cast<int64_t>(row.row.tokens.size()));
    positions.insert(positions.end(), of_row.begin(), of_row.end());
  }
  return pack(packed, positions);
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
