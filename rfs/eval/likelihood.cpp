#include "rfs/eval/likelihood.h"

#include <algorithm>

#include "rfs/core/error.h"
#include "rfs/text/unicode.h"

namespace rfs {
namespace {

/// Targets whose logits are computed at once: GPT-2's vocabulary takes 200 kB each. It is always so many, the last ones
/// filled up: a matrix product of another size may sum in another order, and scores must not depend on the batch.
constexpr int64_t logits_at_once = 64;

/// Log-probabilities [M] of the batch's labels, on the CPU.
torch::Tensor label_scores(const Decoder& decoder, const Batch& batch) {
  const int64_t targets = batch.labels_M.size(0),
                filled = (targets + logits_at_once - 1) / logits_at_once * logits_at_once;
  const auto padded = [&](const torch::Tensor& x_M) {
    return torch::constant_pad_nd(x_M, {0, filled - targets}).to(decoder.device());
  };
  const auto hidden_MD = decoder.hidden(batch).index_select(0, padded(batch.predict_M));
  const auto labels_M1 = padded(batch.labels_M).unsqueeze(1);
  std::vector<torch::Tensor> scores;
  for (int64_t first = 0; first < filled; first += logits_at_once) {
    const auto scores_CV =
        torch::log_softmax(decoder.logits(hidden_MD.narrow(0, first, logits_at_once)), 1, torch::kFloat32);
    scores.push_back(scores_CV.gather(1, labels_M1.narrow(0, first, logits_at_once)).squeeze(1));
  }
  return torch::cat(scores).cpu().contiguous();
}

}  // namespace

Continuation continuation(const Tokenizer& tokenizer, const std::string& context, const std::string& text) {
  const std::vector<int32_t> whole = tokenizer.encode(context + text);
  Continuation result{tokenizer.encode(right_stripped(context)), 0, 0};
  // The context's own ids, even where those of the whole text begin otherwise.
  const size_t read = std::min(result.tokens.size(), whole.size());
  result.count = static_cast<int64_t>(whole.size() - read);
  result.tokens.insert(result.tokens.end(), whole.begin() + static_cast<std::ptrdiff_t>(read), whole.end());
  return result;
}

bool truncate(Continuation& continuation, int64_t longest) {
  const auto size = static_cast<int64_t>(continuation.tokens.size());
  if (size <= longest + 1) return false;
  continuation.tokens.erase(continuation.tokens.begin(), continuation.tokens.begin() + (size - longest - 1));
  return true;
}

std::vector<double> log_likelihoods(const Decoder& decoder, const Evaluated& model,
                                    std::span<const Continuation> continuations, int64_t batch,
                                    const std::function<void(int64_t, int64_t)>& progress) {
  const torch::NoGradGuard no_gradient;
  std::vector<InferenceRow> rows;
  int64_t all = 0, done = 0;
  for (const auto& one : continuations) {
    const auto size = static_cast<int64_t>(one.tokens.size());
    TORCH_CHECK(one.count > 0 && one.count < size, "log_likelihoods: ", one.count, " of ", size, " tokens");
    rows.push_back({sequence_row(one.tokens, size - one.count), size - 1, one.sample});
    all += size - 1;
  }
  std::vector<double> sums(rows.size());
  for (size_t start = 0; start < rows.size(); start += static_cast<size_t>(batch)) {
    const auto some = std::span(rows).subspan(start, std::min(static_cast<size_t>(batch), rows.size() - start));
    for_each_batch(model.options.batch_tokens, some, [&](size_t first, size_t last) {
      progress(done, all);
      const auto scores = label_scores(decoder, inference_batch(model, some.subspan(first, last - first)));
      const float* next = scores.const_data_ptr<float>();
      for (size_t r = first; r < last; ++r) {
        for (size_t i = 0; i < some[r].row.labels.size(); ++i) sums[start + r] += static_cast<double>(*next++);
        done += some[r].input;
      }
    });
  }
  progress(all, all);
  return sums;
}

}  // namespace rfs
