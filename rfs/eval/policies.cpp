#include "rfs/eval/policies.h"

#include <chrono>
#include <map>

namespace rfs {

std::vector<PolicyRecord::Part> compare_policies(const Decoder& decoder, const EvalContext& model,
                                                 const GenerateOptions& options, std::span<const KnownText> texts,
                                                 int64_t part, const std::function<void(int64_t, int64_t)>& progress) {
  using Clock = std::chrono::steady_clock;
  std::vector<LengthPolicy> policies = {LengthPolicy::current, LengthPolicy::planned, LengthPolicy::bucket};
  if (decoder.can_rerotate()) policies.push_back(LengthPolicy::rerotate);
  int64_t all = 0, done = 0;
  for (const auto& text : texts) all += static_cast<int64_t>(text.tokens.size()) - text.prompt;
  all *= static_cast<int64_t>(policies.size());

  std::vector<std::vector<int64_t>> current(texts.size());  // the most likely next tokens
  std::vector<PolicyRecord::Part> parts;
  for (const LengthPolicy policy : policies) {
    std::map<int64_t, PolicyRecord::Part> by_number;
    for (size_t i = 0; i < texts.size(); ++i) {
      const auto& [tokens, prompt] = texts[i];
      const auto size = static_cast<int64_t>(tokens.size());
      GenerateOptions of_the_text = options;
      of_the_text.n_in = policy;
      of_the_text.tokens = size - prompt;
      auto begin = Clock::now();
      TextGenerator generator(decoder, model, of_the_text, std::span(tokens).first(static_cast<size_t>(prompt)),
                              static_cast<uint64_t>(i));
      int64_t passes = 0;
      for (int64_t length = prompt; length < size; ++length) {
        progress(done++, all);
        auto& sum = by_number.try_emplace((length - 1) / part).first->second;
        const int32_t next = tokens[static_cast<size_t>(length)];
        const auto logits_V = generator.logits();
        const int64_t likeliest = logits_V.argmax().item<int64_t>();
        sum.seconds += std::chrono::duration<double>(Clock::now() - begin).count();
        sum.loss -= torch::log_softmax(logits_V, 0, torch::kFloat64)[next].item<double>();
        sum.tokens += 1;
        sum.passes += generator.passes() - passes;
        passes = generator.passes();
        if (policy == LengthPolicy::current) current[i].push_back(likeliest);
        sum.agree += current[i][static_cast<size_t>(length - prompt)] == likeliest ? 1 : 0;
        begin = Clock::now();
        if (length + 1 < size) generator.add(next);
      }
    }
    for (auto& [number, sum] : by_number) {
      sum.policy = enum_name(policy);
      sum.begin = number * part;
      sum.end = (number + 1) * part;
      sum.loss /= static_cast<double>(sum.tokens);
      parts.push_back(sum);
    }
  }
  return parts;
}

}  // namespace rfs
