#include "rfs/eval/rows.h"

namespace rfs {

Batch inference_batch(const Evaluated& model, std::span<const InferenceRow> rows) {
  std::vector<Row> packed;
  std::vector<float> positions;
  for (const InferenceRow& row : rows) {
    packed.push_back(row.row);
    const size_t begin = positions.size();
    positions.resize(begin + row.row.tokens.size());
    Stream stream(static_cast<uint64_t>(*model.options.seed), "inference positions", row.sample);
    model.indexing.infer(stream, model.trained_length, row.input, std::span(positions).subspan(begin));
  }
  return pack(packed, positions);
}

void for_each_batch(const Evaluated& model, std::span<const InferenceRow> rows,
                    const std::function<void(size_t first, size_t last)>& body) {
  for (size_t first = 0; first < rows.size();) {
    size_t last = first;
    int64_t tokens = 0;
    do {
      tokens += static_cast<int64_t>(rows[last++].row.tokens.size());
    } while (last < rows.size() &&
             tokens + static_cast<int64_t>(rows[last].row.tokens.size()) <= model.options.batch_tokens);
    body(first, last);
    first = last;
  }
}

}  // namespace rfs
