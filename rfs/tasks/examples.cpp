#include "rfs/tasks/examples.h"

#include <algorithm>

namespace rfs {

std::span<const int32_t> Examples::row(int64_t i) const {
  const auto begin = static_cast<size_t>(offsets[static_cast<size_t>(i)]);
  return {tokens.data() + begin, static_cast<size_t>(offsets[static_cast<size_t>(i) + 1]) - begin};
}

int64_t Examples::longest() const {
  int64_t longest = 0;
  for (size_t i = 0; i + 1 < offsets.size(); ++i) longest = std::max(longest, offsets[i + 1] - offsets[i]);
  return longest;
}

Examples tokenize(std::span<const Sample> samples, const Tokenizer& tokenizer) {
  Examples examples;
  for (const auto& sample : samples) {
    const auto whole = tokenizer.encode(sample.prompt + sample.answer);
    const auto prompt = tokenizer.encode(sample.prompt);
    const auto shared = std::mismatch(whole.begin(), whole.end(), prompt.begin(), prompt.end()).first - whole.begin();
    examples.tokens.insert(examples.tokens.end(), whole.begin(), whole.end());
    examples.tokens.push_back(tokenizer.end());
    examples.offsets.push_back(static_cast<int64_t>(examples.tokens.size()));
    examples.answer.push_back(shared);
    examples.length.push_back(sample.length);
  }
  return examples;
}

}  // namespace rfs
