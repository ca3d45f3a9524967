#include "rfs/eval/text_generator.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "rfs/core/error.h"

namespace rfs {

TextGenerator::TextGenerator(const Decoder& decoder, const EvalContext& model, const GenerateOptions& options,
                             std::span<const Beginning> beginnings)
    : decoder_(decoder), model_(model), policy_(options.n_in), bucket_(options.bucket) {
  if (policy_ == LengthPolicy::rerotate && !decoder.can_rerotate()) {
    throw Error(
        "n_in rerotate: this model's encoding adds positions to tokens or depends on the input's length, so cached "
        "keys cannot be rotated to new positions; choose planned, current or bucket");
  }
  const auto& kinds = decoder.spec().kinds;
  by_length_ =
      std::any_of(kinds.begin(), kinds.end(), [](const auto& kind) { return kind.encoding->rotates_by_length(); });
  std::vector<size_t> all;
  for (const auto& [tokens, sample] : beginnings) {
    all.push_back(texts_.size());
    const auto planned = static_cast<int64_t>(tokens.size()) + options.tokens;
    texts_.push_back({{tokens.begin(), tokens.end()}, sample, planned, {}});
  }
  start(all);
}

TextGenerator::TextGenerator(const Decoder& decoder, const EvalContext& model, const GenerateOptions& options,
                             std::span<const int32_t> prompt, uint64_t sample)
    : TextGenerator(decoder, model, options, std::vector<Beginning>{{prompt, sample}}) {}

PositionTracks::Rows TextGenerator::positions(const Text& text) const {
  const auto size = static_cast<int64_t>(text.tokens.size());
  const auto input = [&] {
    switch (policy_) {
      case LengthPolicy::planned:
        return text.planned;
      case LengthPolicy::bucket:
        return (size + bucket_ - 1) / bucket_ * bucket_;
      case LengthPolicy::current:
      case LengthPolicy::rerotate:
        return size;
    }
    return size;
  }();
  return inference_positions(model_, {{text.tokens, {}}, input, text.sample}, input);
}

void TextGenerator::start(const std::vector<size_t>& texts) {
  // Only the keys of a single row can be rotated to new positions.
  const size_t together = policy_ == LengthPolicy::rerotate ? 1 : texts.size();
  for (size_t first = 0; first < texts.size(); first += together) {
    std::vector<Decoding::Start> starts;
    Run run;
    for (size_t i = first; i < first + together; ++i) {
      Text& text = texts_[texts[i]];
      text.positions = positions(text);
      starts.push_back({text.tokens, text.positions});
      run.texts.push_back(texts[i]);
    }
    run.decoding = std::make_unique<Decoding>(decoder_, starts);
    runs_.push_back(std::move(run));
  }
  passes_ += static_cast<int64_t>(texts.size());
}

std::vector<TextGenerator::Group> TextGenerator::groups() const {
  std::vector<Group> groups;
  for (const Run& run : runs_) {
    Group& group = groups.emplace_back(Group{{}, run.decoding->logits()});
    for (size_t slot = 0; slot < run.decoding->open().size(); ++slot) group.texts.push_back(run.text(slot));
  }
  return groups;
}

bool TextGenerator::update_positions(Text& text, Run& run) {
  const size_t known = text.positions.front().size();
  if (policy_ == LengthPolicy::planned || (policy_ == LengthPolicy::bucket && text.tokens.size() <= known)) return true;
  auto fresh = positions(text);
  bool same = !by_length_;  // on all tracks, for the known positions
  for (size_t track = 0; track < fresh.size(); ++track) {
    same = same && std::equal(text.positions[track].begin(), text.positions[track].end(), fresh[track].begin());
  }
  text.positions = std::move(fresh);
  if (policy_ == LengthPolicy::rerotate) run.decoding->move(text.positions);
  return same || policy_ == LengthPolicy::rerotate;
}

void TextGenerator::add(std::span<const Next> next) {
  std::vector<size_t> again;
  for (Run& run : runs_) {
    std::vector<size_t> closed;
    bool fresh = false;
    for (size_t slot = 0; slot < run.decoding->open().size(); ++slot) {
      const size_t number = run.text(slot);
      Text& text = texts_[number];
      const auto found = std::lower_bound(next.begin(), next.end(), Next{number, std::numeric_limits<int32_t>::min()});
      if (found == next.end() || found->first != number) {
        closed.push_back(slot);
        continue;
      }
      const size_t known = text.positions.front().size();
      text.tokens.push_back(found->second);
      if (!update_positions(text, run)) {
        again.push_back(number);
        closed.push_back(slot);
      }
      fresh = fresh || text.positions.front().size() != known;
    }
    run.decoding->close(closed);
    std::vector<int32_t> tokens;
    std::vector<Decoding::Tracks> positions;
    for (size_t slot = 0; slot < run.decoding->open().size(); ++slot) {
      tokens.push_back(texts_[run.text(slot)].tokens.back());
      if (fresh) positions.push_back(texts_[run.text(slot)].positions);
    }
    if (tokens.empty()) continue;
    if (fresh && policy_ != LengthPolicy::rerotate) run.decoding->extend(positions);
    run.decoding->step(tokens);
  }
  std::erase_if(runs_, [](const Run& run) { return run.decoding->open().empty(); });
  if (!again.empty()) start(again);
}

void TextGenerator::add(int32_t token) {
  const Next next{0, token};
  add(std::span(&next, 1));
}

int32_t choose(const torch::Tensor& logits_V, const GenerateOptions& options, uint64_t number, uint64_t text) {
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
  const std::string purpose = text == 0 ? "writing" : "writing " + std::to_string(text);
  const double draw = Stream(static_cast<uint64_t>(*options.seed), purpose, number).uniform() * sums[kept - 1];
  const auto chosen = std::upper_bound(sums.begin(), sums.begin() + static_cast<std::ptrdiff_t>(kept), draw);
  const auto rank = std::min(static_cast<int64_t>(chosen - sums.begin()), static_cast<int64_t>(kept) - 1);
  return static_cast<int32_t>(ids.const_data_ptr<int64_t>()[rank]);
}

}  // namespace rfs
