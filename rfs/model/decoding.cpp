// B rows, T tokens that the longest may reach, t tokens so far, V vocabulary.

#include "rfs/model/decoding.h"

#include <algorithm>

namespace rfs {

using torch::Tensor;

Decoding::Decoding(const Decoder& decoder, std::span<const Start> starts)
    : cache_(decoder.kernels() ? kernel_cache(decoder) : reference_cache(decoder)) {
  const torch::NoGradGuard no_gradient;
  const size_t tracks = decoder.spec().tracks();
  std::vector<Row> rows;
  Tracks positions(tracks);
  size_t longest = 0;
  for (const auto& [prompt, all] : starts) {
    TORCH_CHECK(all.size() == tracks, "decoding: positions for each track of the model");
    open_.push_back(rows.size());
    rows.push_back({prompt, {}});
    for (size_t track = 0; track < tracks; ++track) {
      TORCH_CHECK(!prompt.empty() && prompt.size() <= all[track].size() && all[track].size() == all[0].size(),
                  "decoding: a prompt, and a position for each token");
      const auto first = all[track].begin();
      positions[track].insert(positions[track].end(), first, first + static_cast<std::ptrdiff_t>(prompt.size()));
    }
    rows_.sizes.push_back(static_cast<int64_t>(prompt.size()));
    planned_.push_back(static_cast<int64_t>(all[0].size()));
    longest = std::max(longest, all[0].size());
  }
  for (size_t track = 0; track < tracks; ++track) {
    const Tensor& all_BT = rows_.positions_BT.emplace_back(
        torch::zeros({static_cast<int64_t>(starts.size()), static_cast<int64_t>(longest)}, torch::kFloat32));
    for (size_t b = 0; b < starts.size(); ++b) {
      std::copy(starts[b].positions[track].begin(), starts[b].positions[track].end(),
                all_BT.data_ptr<float>() + b * longest);
    }
  }
  Batch batch = pack(rows, positions);
  batch.input_B = torch::tensor(planned_, torch::kInt64);
  logits_ = cache_->start(batch, rows_);
}

Decoding::~Decoding() = default;

void Decoding::close(std::span<const size_t> slots) {
  const size_t stay = open_.size() - slots.size();
  std::vector<int64_t> from, to;
  for (const size_t slot : slots) {
    if (slot < stay) to.push_back(static_cast<int64_t>(slot));
  }
  for (size_t slot = stay; slot < open_.size(); ++slot) {
    if (!std::binary_search(slots.begin(), slots.end(), slot)) from.push_back(static_cast<int64_t>(slot));
  }
  if (!to.empty()) {
    cache_->copy_rows(from, to);
    for (const Tensor& track_BT : rows_.positions_BT) {
      track_BT.index_copy_(0, torch::tensor(to, torch::kInt64),
                           track_BT.index_select(0, torch::tensor(from, torch::kInt64)));
    }
  }
  for (size_t k = 0; k < to.size(); ++k) {
    open_[static_cast<size_t>(to[k])] = open_[static_cast<size_t>(from[k])];
    rows_.sizes[static_cast<size_t>(to[k])] = rows_.sizes[static_cast<size_t>(from[k])];
    planned_[static_cast<size_t>(to[k])] = planned_[static_cast<size_t>(from[k])];
  }
  open_.resize(stay);
  rows_.sizes.resize(stay);
  planned_.resize(stay);
}

void Decoding::step(std::span<const int32_t> tokens) {
  const torch::NoGradGuard no_gradient;
  TORCH_CHECK(!open_.empty() && tokens.size() == open_.size(), "decoding: a token for each open row");
  std::vector<Row> rows;
  Tracks positions(rows_.positions_BT.size());
  for (size_t b = 0; b < open_.size(); ++b) {
    TORCH_CHECK(rows_.sizes[b] < rows_.capacity(), "decoding: a row longer than its positions");
    rows.push_back({tokens.subspan(b, 1), {}});
    for (size_t track = 0; track < positions.size(); ++track) {
      const float* of_row = rows_.positions_BT[track].data_ptr<float>() + static_cast<int64_t>(b) * rows_.capacity();
      positions[track].push_back(of_row[rows_.sizes[b]]);
    }
    ++rows_.sizes[b];
  }
  Batch batch = pack(rows, positions);
  batch.seen_N = torch::tensor(rows_.sizes, torch::kInt64);
  batch.input_B = torch::tensor(planned_, torch::kInt64);
  logits_ = cache_->step(batch, rows_);
}

void Decoding::set_positions(std::span<const Tracks> positions) {
  TORCH_CHECK(positions.size() == open_.size(), "decoding: positions of each open row");
  const int64_t capacity = rows_.capacity();
  int64_t known = 0;
  for (size_t b = 0; b < positions.size(); ++b) {
    const auto tokens = static_cast<int64_t>(positions[b].front().size());
    TORCH_CHECK(tokens >= rows_.sizes[b] && positions[b].size() == rows_.positions_BT.size(),
                "decoding: positions of all tokens of a row");
    known = std::max(known, tokens);
  }
  if (known > capacity) {
    const int64_t larger = std::max(known, capacity + capacity / 2);
    for (Tensor& track_BT : rows_.positions_BT) track_BT = torch::constant_pad_nd(track_BT, {0, larger - capacity});
    cache_->grow(larger);
  }
  for (size_t b = 0; b < positions.size(); ++b) {
    for (size_t track = 0; track < positions[b].size(); ++track) {
      float* of_row = rows_.positions_BT[track].data_ptr<float>() + static_cast<int64_t>(b) * rows_.capacity();
      std::copy(positions[b][track].begin(), positions[b][track].end(), of_row);
    }
  }
}

void Decoding::extend(std::span<const Tracks> positions) {
  const torch::NoGradGuard no_gradient;
  set_positions(positions);
  for (size_t b = 0; b < positions.size(); ++b) planned_[b] = static_cast<int64_t>(positions[b].front().size());
  cache_->refresh();
}

void Decoding::move(const Tracks& positions) {
  const torch::NoGradGuard no_gradient;
  const auto of_tokens = [&](std::vector<Tensor>& to) {
    for (const Tensor& track_BT : rows_.positions_BT) {
      to.push_back(track_BT[0].narrow(0, 0, rows_.sizes[0]).to(torch::kFloat64));
    }
  };
  std::vector<Tensor> old_t, new_t;
  of_tokens(old_t);
  set_positions(std::span(&positions, 1));
  of_tokens(new_t);
  cache_->move(old_t, new_t);
}

}  // namespace rfs
