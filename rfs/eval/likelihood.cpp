#include "rfs/eval/likelihood.h"

#include <algorithm>

#include "rfs/core/error.h"
#include "rfs/text/unicode.h"

namespace rfs {
namespace {

/// A matmul of few rows may sum in another order than one of many rows, but scores must not depend on the batch. So a
/// batch is padded to a multiple of this many tokens.
constexpr int64_t tokens_at_least = 64;

/// The batch of some rows, plus a row without targets that fills it up.
Batch filled_batch(const EvalContext& model, std::span<const InferenceRow> rows) {
  int64_t tokens = 0;
  for (const auto& row : rows) tokens += static_cast<int64_t>(row.row.tokens.size());
  const std::vector<int32_t> filler(
      static_cast<size_t>((tokens_at_least - tokens % tokens_at_least) % tokens_at_least));
  std::vector<InferenceRow> all(rows.begin(), rows.end());
  if (!filler.empty()) all.push_back({{filler, {}}, static_cast<int64_t>(filler.size()), 0});
  return inference_batch(model, all);
}

}  // namespace

Continuation continuation(const Tokenizer& tokenizer, const std::string& context, const std::string& text) {
  const std::vector<int32_t> whole = tokenizer.encode(context + text);
  Continuation result{tokenizer.encode(right_stripped(context)), 0, 0};
  // Uses the ids of the context alone, even if the ids of the whole text start differently.
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

std::vector<double> log_likelihoods(const EvalContext& model, std::span<const Continuation> continuations,
                                    int64_t batch, const std::function<void(int64_t, int64_t)>& progress) {
  std::vector<InferenceRow> rows;
  int64_t all = 0, done = 0;
  for (const auto& one : continuations) {
    const auto size = static_cast<int64_t>(one.tokens.size());
    TORCH_CHECK(one.count > 0 && one.count < size, "log_likelihoods: a continuation has ", one.count, " of ", size,
                " tokens");
    rows.push_back({sequence_row(one.tokens, size - one.count), size - 1, one.sample});
    all += size - 1;
  }
  std::vector<double> sums(rows.size());
  for (size_t start = 0; start < rows.size(); start += static_cast<size_t>(batch)) {
    const auto some = std::span(rows).subspan(start, std::min(static_cast<size_t>(batch), rows.size() - start));
    for_each_batch(model.options.batch_tokens, some, [&](size_t first, size_t last) {
      progress(done, all);
      const auto losses = model.predictor.losses(filled_batch(model, some.subspan(first, last - first)));
      const float* next = losses.const_data_ptr<float>();
      for (size_t r = first; r < last; ++r) {
        for (size_t i = 0; i < some[r].row.labels.size(); ++i) sums[start + r] -= static_cast<double>(*next++);
        done += some[r].input;
      }
    });
  }
  progress(all, all);
  return sums;
}

}  // namespace rfs
