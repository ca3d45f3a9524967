#include "rfs/eval/answers.h"

#include <algorithm>

#include "rfs/model/decoding.h"

namespace rfs {
namespace {

/// The continuations of some prompts while they are generated.
struct Texts {
  std::span<const Prompt> prompts;
  const std::vector<int32_t>& ends;
  const std::function<void(int64_t, int64_t)>& progress;
  std::vector<std::vector<int32_t>> made;
  int64_t done = 0;

  int64_t planned(size_t i) const { return static_cast<int64_t>(prompts[i].tokens.size()) + prompts[i].budget; }
  std::vector<size_t> open() const {
    std::vector<size_t> open;
    for (size_t i = 0; i < prompts.size(); ++i) {
      if (prompts[i].budget > 0) open.push_back(i);
    }
    return open;
  }
  void show() const { progress(done, static_cast<int64_t>(prompts.size())); }
  /// Adds `id` to text i. Returns true if the text continues.
  bool add(size_t i, int64_t id) {
    made[i].push_back(static_cast<int32_t>(id));
    const bool ended = std::find(ends.begin(), ends.end(), made[i].back()) != ends.end();
    const bool more = !ended && static_cast<int64_t>(made[i].size()) < prompts[i].budget;
    if (!more) ++done;
    return more;
  }
};

/// The positions are fixed from the start, so cached keys and values stay valid.
void extend_planned(const Decoder& decoder, const EvalContext& model, Texts& texts) {
  std::vector<size_t> open = texts.open();  // sorted by length, so that rows decoded together have similar lengths
  std::stable_sort(open.begin(), open.end(), [&](size_t a, size_t b) { return texts.planned(a) < texts.planned(b); });
  std::vector<InferenceRow> rows;
  for (const size_t i : open) {
    rows.push_back({{texts.prompts[i].tokens, {}}, texts.planned(i), texts.prompts[i].sample});
  }
  const int64_t limit = model.options.batch_tokens * (decoder.device().is_cuda() ? decoding_share : 1);
  for_each_batch(limit, rows, [&](size_t first, size_t last) {
    std::vector<Decoding::Start> starts;
    for (size_t r = first; r < last; ++r) {
      starts.push_back({rows[r].row.tokens, inference_positions(model, rows[r], rows[r].input)});
    }
    texts.show();
    Decoding decoding(decoder, starts);
    while (true) {
      const auto best = decoding.logits().argmax(1).cpu().contiguous();
      std::vector<size_t> ended;
      for (size_t slot = 0; slot < decoding.open().size(); ++slot) {
        const size_t i = open[first + decoding.open()[slot]];
        if (!texts.add(i, best.const_data_ptr<int64_t>()[slot])) ended.push_back(slot);
      }
      decoding.close(ended);
      if (decoding.open().empty()) return;
      std::vector<int32_t> newest;
      for (const size_t r : decoding.open()) newest.push_back(texts.made[open[first + r]].back());
      texts.show();
      decoding.step(newest);
    }
  });
}

/// Each new token changes the positions of all tokens, so every step runs whole rows.
void extend_current(const EvalContext& model, Texts& texts) {
  std::vector<std::vector<int32_t>> sequences;
  for (const Prompt& prompt : texts.prompts) sequences.emplace_back(prompt.tokens.begin(), prompt.tokens.end());
  for (std::vector<size_t> open = texts.open(), still_open; !open.empty(); open = std::exchange(still_open, {})) {
    std::vector<InferenceRow> rows;
    for (const size_t i : open) {
      rows.push_back({{sequences[i], {}}, static_cast<int64_t>(sequences[i].size()), texts.prompts[i].sample});
    }
    for_each_batch(model.options.batch_tokens, rows, [&](size_t first, size_t last) {
      texts.show();
      Batch batch = inference_batch(model, std::span(rows).subspan(first, last - first));
      batch.predict_M = batch.offsets.narrow(0, 1, batch.rows()) - 1;
      const auto best = model.predictor.best(batch).contiguous();
      for (size_t r = first; r < last; ++r) {
        const size_t i = open[r];
        if (texts.add(i, best.const_data_ptr<int64_t>()[r - first])) still_open.push_back(i);
        sequences[i].push_back(texts.made[i].back());
      }
    });
  }
}

}  // namespace

std::vector<std::vector<int32_t>> greedy_answers(const Decoder& decoder, const EvalContext& model,
                                                 std::span<const Prompt> prompts, const std::vector<int32_t>& ends,
                                                 const std::function<void(int64_t, int64_t)>& progress) {
  Texts texts{prompts, ends, progress, std::vector<std::vector<int32_t>>(prompts.size())};
  if (*model.options.n_in == InputLength::planned) {
    extend_planned(decoder, model, texts);
  } else {
    extend_current(model, texts);
  }
  return std::move(texts.made);
}

}  // namespace rfs
