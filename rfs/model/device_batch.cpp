#include "rfs/model/device_batch.h"

#include <algorithm>
#include <cstring>

namespace rfs {
namespace {

using torch::Tensor;

/// Alignment of the arrays for the kernels' vector loads.
constexpr size_t alignment = 256;

}  // namespace

BatchLayout::BatchLayout(int64_t tokens, int64_t targets, int64_t rows, int64_t longest, size_t tracks)
    : tokens_(tokens), targets_(targets), rows_(rows), longest_(longest), tracks_(tracks) {
  const auto add = [&](int64_t count, size_t size) {
    at_.push_back(bytes_);
    bytes_ += (static_cast<size_t>(count) * size + alignment - 1) / alignment * alignment;
  };
  add(rows + 1, 4);  // in the order of Array
  add(tokens, 4);
  add(tokens, 8);
  add(rows, 8);
  add(tokens, 4);
  add(tokens, 4);
  add(targets, 4);
  add(targets, 4);
  add(1, 4);
  add(tokens, 4);
  add(tokens, 4);
  for (size_t track = 0; track < tracks; ++track) add(tokens, 4);
}

void BatchLayout::fill(const Batch& batch, const Dropout& dropout, int64_t tokens, int64_t targets,
                       int64_t real_targets, char* host) const {
  const int64_t given = batch.tokens(), given_targets = batch.predict_M.size(0), given_rows = batch.rows();
  TORCH_CHECK(
      given <= tokens && tokens <= tokens_ && given_targets <= targets && targets <= targets_ && given_rows <= rows_,
      "batch: larger than its buffer");
  const auto array = [&]<class T>(size_t first, T) { return reinterpret_cast<T*>(host + first); };
  int32_t *offset_of = array(at(Array::offsets), int32_t()), *within_of = array(at(Array::within), int32_t());
  int32_t *begin_of = array(at(Array::begin), int32_t()), *token_of = array(at(Array::tokens), int32_t()),
          *target_of = array(at(Array::target_of), int32_t());
  uint64_t *sample_of = array(at(Array::sample), uint64_t()), *samples_of = array(at(Array::samples), uint64_t());
  float* seen_of = array(at(Array::seen), float());

  const int64_t* given_offset = batch.offsets.const_data_ptr<int64_t>();
  const int64_t* given_tokens = batch.tokens_N.const_data_ptr<int64_t>();
  const int64_t* given_seen = batch.seen_N.const_data_ptr<int64_t>();
  int64_t end = 0;
  for (int64_t row = 0; row < rows_; ++row) {
    const bool real = row < given_rows;
    const int64_t first = end,
                  length = real ? given_offset[row + 1] - given_offset[row] : std::min(filler_tokens, tokens - first);
    const auto of = static_cast<size_t>(row);
    const uint64_t number = real && of < dropout.samples.size() ? dropout.samples[of] : 0;
    offset_of[row] = static_cast<int32_t>(first);
    samples_of[row] = number;
    end += length;
    for (int64_t i = first; i < end; ++i) {
      within_of[i] = static_cast<int32_t>(i - first);
      begin_of[i] = static_cast<int32_t>(first);
      seen_of[i] = static_cast<float>(real ? given_seen[i] : i - first + 1);
      sample_of[i] = number;
      token_of[i] = real ? static_cast<int32_t>(given_tokens[i]) : 0;
      target_of[i] = -1;
    }
  }
  TORCH_CHECK(end == tokens, "batch: too few filler rows to reach the requested size");
  offset_of[rows_] = static_cast<int32_t>(end);

  int32_t *predict_of = array(at(Array::predict), int32_t()), *label_of = array(at(Array::labels), int32_t());
  const int64_t* given_predict = batch.predict_M.const_data_ptr<int64_t>();
  const bool labelled = batch.labels_M.size(0) == given_targets;  // predictions need no labels
  const int64_t* given_labels = batch.labels_M.const_data_ptr<int64_t>();
  for (int64_t m = 0; m < targets; ++m) {
    const bool real = m < given_targets;
    predict_of[m] = real ? static_cast<int32_t>(given_predict[m]) : 0;
    label_of[m] = real && labelled ? static_cast<int32_t>(given_labels[m]) : -1;
    if (real) target_of[predict_of[m]] = static_cast<int32_t>(m);
  }
  *array(at(Array::targets), int32_t()) = static_cast<int32_t>(real_targets);
  for (size_t track = 0; track < tracks_; ++track) {
    float* to = array(at(Array::positions, track), float());
    std::memcpy(to, batch.positions.at(track).const_data_ptr<float>(), static_cast<size_t>(given) * sizeof(float));
    for (int64_t i = given; i < tokens; ++i) to[i] = static_cast<float>(within_of[i]);
  }
}

BatchOnDevice BatchLayout::view(const Tensor& memory, int64_t tokens, int64_t targets, const Dropout& dropout) const {
  const auto array = [&](size_t first, int64_t count, torch::Dtype dtype) {
    const auto bytes = count * static_cast<int64_t>(torch::elementSize(dtype));
    return memory.narrow(0, static_cast<int64_t>(first), bytes).view(dtype);
  };
  const auto pointer = [&]<class T>(size_t first, T) {
    return reinterpret_cast<const T*>(static_cast<const char*>(memory.const_data_ptr()) + first);
  };
  BatchOnDevice batch;
  batch.pass.memory = memory;
  batch.pass.dropout = dropout.on_device();
  DeviceRows& rows = batch.pass.rows;
  rows.tokens = static_cast<int>(tokens);
  rows.rows = static_cast<int>(rows_);
  rows.longest = static_cast<int>(longest_);
  rows.offsets = pointer(at(Array::offsets), int32_t());
  rows.within = pointer(at(Array::within), int32_t());
  rows.sample = pointer(at(Array::sample), uint64_t());
  rows.samples = pointer(at(Array::samples), uint64_t());
  batch.tokens_N = array(at(Array::tokens), tokens, torch::kInt32);
  batch.target_of_N = array(at(Array::target_of), tokens, torch::kInt32);
  batch.predict_M = array(at(Array::predict), targets, torch::kInt32);
  batch.labels_M = array(at(Array::labels), targets, torch::kInt32);
  batch.targets = array(at(Array::targets), 1, torch::kInt32);
  batch.seen_N = array(at(Array::seen), tokens, torch::kFloat32);
  batch.row_begin_N = array(at(Array::begin), tokens, torch::kInt32);
  for (size_t track = 0; track < tracks_; ++track) {
    batch.positions.push_back(array(at(Array::positions, track), tokens, torch::kFloat32));
  }
  return batch;
}

BatchOnDevice BatchLayout::copy(const Batch& batch, const Dropout& dropout, torch::Device device) {
  const int64_t targets = batch.predict_M.size(0);
  int64_t longest = 0;
  const int64_t* offset = batch.offsets.const_data_ptr<int64_t>();
  for (int64_t row = 0; row < batch.rows(); ++row) longest = std::max(longest, offset[row + 1] - offset[row]);
  const BatchLayout layout(batch.tokens(), targets, batch.rows(), longest, batch.positions.size());
  const Tensor host = torch::zeros({static_cast<int64_t>(layout.bytes())}, torch::kUInt8);
  layout.fill(batch, dropout, batch.tokens(), targets, targets, static_cast<char*>(host.data_ptr()));
  return layout.view(host.to(device), batch.tokens(), targets, dropout);
}

}  // namespace rfs
