#include "rfs/tasks/examples.h"

#include <algorithm>
#include <cassert>

namespace rfs {

Examples::Examples() : arrays_(std::make_shared<Arrays>()), offsets_(arrays_->offsets) {}

Examples::Examples(std::shared_ptr<const void> owner, std::span<const int32_t> tokens, std::span<const int64_t> offsets,
                   std::span<const int64_t> answers, std::span<const int64_t> lengths)
    : owner_(std::move(owner)), tokens_(tokens), offsets_(offsets), answers_(answers), lengths_(lengths) {}

Examples::Examples(std::shared_ptr<const void> owner, std::span<const int32_t> tokens, int64_t window)
    : owner_(std::move(owner)), tokens_(tokens), window_(window) {
  assert(window > 0);
}

std::span<const int32_t> Examples::row(int64_t i) const {
  if (window_) return tokens_.subspan(static_cast<size_t>(i * window_), static_cast<size_t>(window_) + 1);
  const auto begin = static_cast<size_t>(offsets_[static_cast<size_t>(i)]);
  return tokens_.subspan(begin, static_cast<size_t>(offsets_[static_cast<size_t>(i) + 1]) - begin);
}

int64_t Examples::longest() const {
  if (window_) return size() > 0 ? window_ + 1 : 0;
  int64_t longest = 0;
  for (size_t i = 0; i + 1 < offsets_.size(); ++i) longest = std::max(longest, offsets_[i + 1] - offsets_[i]);
  return longest;
}

void Examples::add(std::span<const int32_t> row, int64_t answer, int64_t length) {
  assert(arrays_);
  arrays_->tokens.insert(arrays_->tokens.end(), row.begin(), row.end());
  arrays_->offsets.push_back(static_cast<int64_t>(arrays_->tokens.size()));
  arrays_->answers.push_back(answer);
  arrays_->lengths.push_back(length);
  tokens_ = arrays_->tokens;
  offsets_ = arrays_->offsets;
  answers_ = arrays_->answers;
  lengths_ = arrays_->lengths;
}

Examples tokenize(std::span<const Sample> samples, const Tokenizer& tokenizer) {
  Examples examples;
  for (const auto& sample : samples) {
    auto whole = tokenizer.encode(sample.prompt + sample.answer);
    const auto prompt = tokenizer.encode(sample.prompt);
    const auto shared = std::mismatch(whole.begin(), whole.end(), prompt.begin(), prompt.end()).first - whole.begin();
    whole.push_back(tokenizer.end());
    examples.add(whole, shared, sample.length);
  }
  return examples;
}

}  // namespace rfs
