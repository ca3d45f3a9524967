#include "rfs/eval/generate.h"

namespace rfs {

std::vector<std::vector<int32_t>> generate(const Decoder& decoder, const Evaluated& model,
                                           std::span<const Prompt> prompts, int32_t end,
                                           const std::function<void()>& step) {
  const torch::NoGradGuard no_gradient;
  const bool planned = *model.options.n_in == "planned";
  std::vector<std::vector<int32_t>> texts;
  std::vector<size_t> open;
  for (size_t i = 0; i < prompts.size(); ++i) {
    texts.emplace_back(prompts[i].tokens.begin(), prompts[i].tokens.end());
    if (prompts[i].budget > 0) open.push_back(i);
  }
  while (!open.empty()) {
    step();
    std::vector<InferenceRow> rows;
    for (const size_t i : open) {
      const auto count = static_cast<int64_t>(texts[i].size());
      const auto all = static_cast<int64_t>(prompts[i].tokens.size()) + prompts[i].budget;
      rows.push_back({{texts[i], {}}, planned ? all : count, prompts[i].sample});
    }
    std::vector<size_t> still_open;
    for_each_batch(model, rows, [&](size_t first, size_t last) {
      const Batch batch = inference_batch(model, std::span(rows).subspan(first, last - first));
      const auto last_token = batch.offsets.narrow(0, 1, batch.rows()) - 1;
      const auto best = decoder.logits(decoder.hidden(batch).index_select(0, last_token)).argmax(1).contiguous();
      for (size_t r = first; r < last; ++r) {
        const size_t i = open[r];
        const auto id = static_cast<int32_t>(best.const_data_ptr<int64_t>()[r - first]);
        texts[i].push_back(id);
        const auto made = static_cast<int64_t>(texts[i].size() - prompts[i].tokens.size());
        if (id != end && made < prompts[i].budget) still_open.push_back(i);
      }
    });
    open = std::move(still_open);
  }
  for (size_t i = 0; i < texts.size(); ++i) {
    texts[i].erase(texts[i].begin(), texts[i].begin() + static_cast<std::ptrdiff_t>(prompts[i].tokens.size()));
  }
  return texts;
}

}  // namespace rfs
