#include "rfs/run/evaluator.h"

#include <algorithm>
#include <map>

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/eval/answers.h"
#include "rfs/eval/exact_match.h"
#include "rfs/eval/loss.h"
#include "rfs/model/device.h"
#include "rfs/run/eval_engine.h"
#include "rfs/tasks/mistakes.h"

namespace rfs {
namespace {

std::span<const int32_t> answer(const Examples& examples, size_t i) {
  const auto row = static_cast<int64_t>(i);
  return examples.row(row).subspan(static_cast<size_t>(examples.answer(row)));
}

/// The first `count` examples of each length, in their order.
std::vector<size_t> first_of_each_length(const Examples& examples, int64_t count) {
  std::map<int64_t, int64_t> seen;
  std::vector<size_t> chosen;
  for (int64_t i = 0; i < examples.size(); ++i) {
    if (seen[examples.length(i)]++ < count) chosen.push_back(static_cast<size_t>(i));
  }
  return chosen;
}

/// Correct answers by length and nearest quarter of the depth, for samples that have one.
std::map<int64_t, std::vector<EvalRecord::Depth>> by_depth(const std::vector<Sample>& samples,
                                                           const std::vector<bool>& right) {
  std::map<int64_t, std::map<int64_t, EvalRecord::Depth>> bins;
  for (size_t i = 0; i < samples.size(); ++i) {
    if (samples[i].depth < 0) continue;
    const int64_t depth = (samples[i].depth + 12) / 25 * 25;
    auto& bin = bins[samples[i].length][depth];
    bin = {depth, bin.correct + (right[i] ? 1 : 0), bin.total + 1};
  }
  std::map<int64_t, std::vector<EvalRecord::Depth>> lists;
  for (const auto& [length, depths] : bins) {
    for (const auto& [depth, bin] : depths) lists[length].push_back(bin);
  }
  return lists;
}

}  // namespace

Evaluator::Evaluator(const RunSettings& settings, TensorFile file, const std::string& path, DataCache& cache)
    : settings_(settings),
      device_(choose_device(*settings.eval.device, "eval.device")),
      model_(load_model(std::move(file), path, device_, settings)),
      shared_data_(cache.get(settings)),
      data_(*shared_data_),
      positions_(run_tracks(settings, shared_data_)) {
  Decoder& decoder = *model_.decoder;
  if (data_.tokenizer->size() != decoder.vocabulary()) {
    throw Error(rfs::format("{}: the model has a vocabulary of {} ids, but the tokenizer has {}", path,
                            decoder.vocabulary(), data_.tokenizer->size()));
  }
  engine_ = eval_engine(decoder, settings.eval);
  const Predictor& predictor = engine_ ? static_cast<const Predictor&>(*engine_) : decoder;
  context_ = std::make_unique<EvalContext>(EvalContext{predictor, positions_, model_.trained_length, settings.eval});
}

std::string Evaluator::text(std::span<const int32_t> ids) const {
  if (!ids.empty() && ids.back() == data_.tokenizer->end()) ids = ids.first(ids.size() - 1);
  return data_.tokenizer->decode(ids);
}

std::vector<std::vector<int32_t>> Evaluator::decode(const Examples& examples, const std::vector<size_t>& chosen,
                                                    const std::function<void(int64_t, int64_t)>& progress) const {
  std::vector<Prompt> prompts;
  for (const size_t i : chosen) {
    const auto row = examples.row(static_cast<int64_t>(i));
    const size_t expected = answer(examples, i).size();
    prompts.push_back({row.first(row.size() - expected), static_cast<int64_t>(expected), i});
  }
  return greedy_answers(*model_.decoder, *context_, prompts, {data_.tokenizer->end()}, progress);
}

bool Evaluator::language() const {
  return data_.task->language();
}

void Evaluator::measure_loss(const Progress& progress, EvalRecord& record) const {
  if (*settings_.eval.n_in != InputLength::planned) {
    throw Error("eval.n_in: must be planned for a language model, got " + enum_name(*settings_.eval.n_in));
  }
  const auto examples = data_.examples(Split::test);
  if (examples.size() == 0) {
    throw Error("task.test_documents is 0: there is nothing to evaluate; add --set task.test_documents=200");
  }
  const int64_t window = data_.task->test_window();
  record.losses =
      loss_by_length(*context_, examples, window, [&](int64_t done, int64_t all) { progress("inputs", done, all); });
  record.last_losses = loss_of_last_tokens(*context_, examples, window,
                                           [&](int64_t done, int64_t all) { progress("last tokens", done, all); });
}

void Evaluator::test(Split split, const Progress& progress, EvalRecord& record) const {
  const EvalOptions& options = settings_.eval;
  const auto samples = data_.samples(split);
  const auto examples = data_.examples(split);
  const bool by_text = *options.match == AnswerMatch::text;
  const std::string what = split == Split::test ? "longer samples" : "validation samples";

  std::vector<bool> right;
  if (!by_text) {
    right = exact_match(*context_, examples, [&](int64_t done, int64_t all) { progress(what, done, all); });
  }
  const auto chosen =
      first_of_each_length(examples, by_text ? examples.size() : std::max(*options.answers, *options.decoded));
  const auto given =
      decode(examples, chosen, [&](int64_t done, int64_t all) { progress(what + " decoded", done, all); });
  for (size_t i = 0; by_text && i < given.size(); ++i) {
    right.push_back(data_.task->right(text(given[i]), text(answer(examples, i))));
  }

  std::map<int64_t, int64_t> seen;
  std::map<int64_t, std::vector<Comparison>> comparisons;
  for (size_t k = 0; k < chosen.size(); ++k) {
    const size_t i = chosen[k];
    const int64_t length = samples[i].length, number = seen[length]++;
    const auto expected = answer(examples, i);
    if (number < options.decoded) comparisons[length].push_back(compare_answers(expected, given[k]));
    if (number < options.answers) {
      record.answers.push_back({length, samples[i].prompt, text(expected), text(given[k]), right[i]});
    }
  }
  auto depths = by_depth(samples, right);
  for (auto& bin : by_length(examples, right, split == Split::validation)) {
    bin.depths = std::move(depths[bin.length]);
    if (const auto of_length = comparisons.find(bin.length); of_length != comparisons.end()) {
      bin.decoded = summarise(of_length->second);
    }
    record.lengths.push_back(std::move(bin));
  }
}

std::vector<EvalRecord::Strip> Evaluator::position_strips() const {
  const int64_t trained_length = model_.trained_length;
  std::vector<EvalRecord::Strip> strips;
  const auto seed = static_cast<uint64_t>(*settings_.train.seed);
  for (uint64_t i = 0; i < 3; ++i) {
    strips.push_back({rfs::format("training, {} tokens", trained_length),
                      positions_.train(seed, i, trained_length, trained_length).front()});
  }
  for (const int64_t input : {trained_length / 2, trained_length, 2 * trained_length}) {
    try {
      const auto eval_seed = static_cast<uint64_t>(*settings_.eval.seed);
      strips.push_back({rfs::format("inference, {} tokens", input),
                        positions_.infer(eval_seed, 0, trained_length, input, input).front()});
    } catch (const Error&) {  // this indexing cannot number such a long row; evaluation reports it if it matters
    }
  }
  return strips;
}

}  // namespace rfs
