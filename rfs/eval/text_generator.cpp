#include "rfs/eval/text_generator.h"

#include <algorithm>
#include <cmath>

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
        "keys cannot be rotated to new positions; choose planned, current or bucket");
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
  const auto [sorted, order] = torch::sort(logits_V.to(torch::kFloat64), /*stable=*/true, 0, /*descending=*/true);
  int64_t candidates = logits_V.size(0);
  if (options.top_k > 0) candidates = std::min<int64_t>(candidates, options.top_k);
  const auto ids = order.narrow(0, 0, candidates).cpu(), scores = sorted.narrow(0, 0, candidates).cpu();
  const double* score = scores.const_data_ptr<double>();
  std::vector<double> sums;  // cumulative weights
  for (int64_t i = 0; i < candidates; ++i) {
    sums.push_back((sums.empty() ? 0 : sums.back()) + std::exp((score[i] - score[0]) / options.temperature));
  }
  const auto whole = sums.back() * options.top_p;
  const auto last = std::lower_bound(sums.begin(), sums.end(), whole);
  const auto kept = std::min(static_cast<size_t>(last - sums.begin()) + 1, sums.size());
  const double draw = Stream(static_cast<uint64_t>(*options.seed), "writing", number).uniform() * sums[kept - 1];
  const auto chosen = std::upper_bound(sums.begin(), sums.begin() + static_cast<std::ptrdiff_t>(kept), draw);
  const auto place = std::min(static_cast<int64_t>(chosen - sums.begin()), static_cast<int64_t>(kept) - 1);
  return static_cast<int32_t>(ids.const_data_ptr<int64_t>()[place]);
}

}  // namespace rfs
