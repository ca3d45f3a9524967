#include "rfs/eval/text_generator.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "rfs/core/error.h"

namespace rfs {

TextGenerator::TextGenerator(const Decoder& decoder, const EvalContext& model, const GenerateOptions& options,
                             std::span<const int32_t> prompt, uint64_t sample)
    : decoder_(decoder),
      model_(model),
      policy_(options.n_in),
      bucket_(options.bucket),
      planned_(static_cast<int64_t>(prompt.size()) + options.tokens),
      sample_(sample),
      tokens_(prompt.begin(), prompt.end()) {
  if (policy_ == LengthPolicy::rerotate && !decoder.can_rerotate()) {
    throw Error(
        "n_in rerotate: this model's encoding adds positions to tokens or depends on the input's length, so cached "
        "keys "
        "cannot be rotated to new positions; choose planned, current or bucket");
  }
  run(positions());
}

PositionTracks::Rows TextGenerator::positions() const {
  const auto size = static_cast<int64_t>(tokens_.size());
  const auto input = [&] {
    switch (policy_) {
      case LengthPolicy::planned:
        return planned_;
      case LengthPolicy::bucket:
        return (size + bucket_ - 1) / bucket_ * bucket_;
      case LengthPolicy::current:
      case LengthPolicy::rerotate:
        return size;
    }
    return size;
  }();
  return inference_positions(model_, {{tokens_, {}}, input, sample_}, input);
}

void TextGenerator::run(const PositionTracks::Rows& positions) {
  const Decoding::Start start{tokens_, positions};
  decoding_ = std::make_unique<Decoding>(decoder_, std::span(&start, 1));
  positions_ = positions;
  ++passes_;
}

void TextGenerator::add(int32_t token) {
  tokens_.push_back(token);
  const auto known = positions_.front().size();
  if (policy_ != LengthPolicy::planned && (policy_ != LengthPolicy::bucket || tokens_.size() > known)) {
    auto fresh = positions();
    bool same = true;  // on all tracks, for the known positions
    for (size_t track = 0; track < fresh.size(); ++track) {
      same = same && std::equal(positions_[track].begin(), positions_[track].end(), fresh[track].begin());
    }
    if (!same && policy_ != LengthPolicy::rerotate) return run(fresh);
    positions_ = std::move(fresh);
    decoding_->move(positions_);
  }
  decoding_->step(std::span(&tokens_.back(), 1));
}

int32_t choose(const torch::Tensor& logits_V, const GenerateOptions& options, uint64_t number) {
  if (options.temperature == 0) return static_cast<int32_t>(logits_V.argmax().item<int64_t>());
  const auto scores = logits_V.to(torch::kCPU, torch::kFloat64).contiguous();
  const std::span<const double> score(scores.const_data_ptr<double>(), static_cast<size_t>(scores.numel()));
  std::vector<int32_t> ids(score.size());
  std::iota(ids.begin(), ids.end(), 0);
  std::sort(ids.begin(), ids.end(), [&](int32_t a, int32_t b) {
    const double x = score[static_cast<size_t>(a)], y = score[static_cast<size_t>(b)];
    return x != y ? x > y : a < b;
  });
  if (options.top_k > 0) ids.resize(std::min(ids.size(), static_cast<size_t>(*options.top_k)));
  std::vector<double> sums;  // cumulative weights
  for (const int32_t id : ids) {
    const double above = score[static_cast<size_t>(id)] - score[static_cast<size_t>(ids[0])];
    sums.push_back((sums.empty() ? 0 : sums.back()) + std::exp(above / options.temperature));
  }
  const auto whole = sums.back() * options.top_p;
  const auto last = std::lower_bound(sums.begin(), sums.end(), whole);
  const auto kept = std::min(static_cast<size_t>(last - sums.begin()) + 1, sums.size());
  const double draw = Stream(static_cast<uint64_t>(*options.seed), "writing", number).uniform() * sums[kept - 1];
  const auto chosen = std::upper_bound(sums.begin(), sums.begin() + static_cast<std::ptrdiff_t>(kept), draw);
  return ids[std::min(static_cast<size_t>(chosen - sums.begin()), kept - 1)];
}

}  // namespace rfs
