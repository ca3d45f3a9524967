#include "rfs/run/generation.h"

#include <algorithm>
#include <chrono>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/core/sha256.h"
#include "rfs/eval/policies.h"
#include "rfs/model/device.h"
#include "rfs/model/store.h"
#include "rfs/report/policies.h"
#include "rfs/run/data.h"
#include "rfs/run/eval_engine.h"
#include "rfs/run/libraries.h"
#include "rfs/run/measuring.h"
#include "rfs/run/stored_settings.h"
#include "rfs/run/trained.h"

namespace rfs {
namespace {

using Clock = std::chrono::steady_clock;

/// The beginnings of some test rows.
std::vector<KnownText> known_texts(const RunData& data, const GenerateOptions& options, int64_t texts) {
  const auto examples = data.examples(Split::test);
  if (examples.size() == 0) throw Error("--compare: the task has no test data");
  std::vector<KnownText> known;
  const int64_t count = std::min(texts, examples.size());
  for (int64_t i = 0; i < count; ++i) {
    const int64_t number = i * examples.size() / count;
    const auto row = examples.row(number);
    const int64_t prompt = examples.answer(number);
    const auto size = std::min<int64_t>(static_cast<int64_t>(row.size()), prompt + options.tokens);
    known.push_back({{row.begin(), row.begin() + size}, prompt});
  }
  return known;
}

}  // namespace

struct Generation::Loaded {
  Run run;
  RunSettings settings;
  StoredModel model;
  std::shared_ptr<const RunData> data;
  PositionTracks positions;
  torch::Device device;

  EvalContext context() const { return {*model.decoder, positions, model.trained_length, settings.eval}; }
};

Generation::Generation(const std::string& folder, const std::vector<std::string>& assignments) {
  const Run run = trained_run(folder, "it generates text");
  const std::string path = run.file("model.safetensors").string();
  TensorFile file = read_tensors(path);
  const std::vector<std::string> tables = {"encoding", "eval", "positions", "task"};
  for (const auto& assignment : assignments) {
    if (!changes_inference(assignment)) require_table(assignment, tables);
  }
  auto settings = stored_run_settings(stored_settings(file, path), path, assignments);
  const torch::Device device = choose_device(*settings.eval.device, "eval.device");
  auto model = load_model(std::move(file), path, device, settings);
  auto data = std::make_shared<const RunData>(settings);
  require_same_ids(*data->tokenizer, settings.tokenizer.use, *model.decoder, path);
  use_eval_kernels(*model.decoder, settings.eval);
  auto positions = run_tracks(settings, data);
  loaded_.reset(new Loaded{run, std::move(settings), std::move(model), std::move(data), std::move(positions), device});
}

Generation::~Generation() = default;

const Run& Generation::run() const {
  return loaded_->run;
}

/// Texts while they are generated.
struct Generation::Growing {
  Growing(const Loaded& of, const GenerateOptions& with, std::span<const std::string> prompts, uint64_t first)
      : loaded(of),
        options(with),
        first_number(first),
        model(of.context()),
        ends(tokenizer().ends()),
        texts(prompts.size()) {
    for (const std::string& prompt : prompts) {
      auto& ids = prompt_ids.emplace_back(tokenizer().encode(prompt));
      if (ids.empty()) ids.push_back(tokenizer().end());
    }
    std::vector<TextGenerator::Beginning> beginnings;
    for (const auto& ids : prompt_ids) beginnings.push_back({ids, first_number + beginnings.size()});
    generator.emplace(*loaded.model.decoder, model, options, beginnings);
  }
  const Tokenizer& tokenizer() const { return *loaded.data->tokenizer; }

  /// Chooses the next token of each text. Returns those of texts that continue.
  std::vector<TextGenerator::Next> choose_next() {
    std::vector<TextGenerator::Next> next;
    for (const auto& [numbers, logits_BV] : generator->groups()) {
      torch::Tensor best_B;  // one transfer from the device for all rows
      if (options.temperature == 0) best_B = logits_BV.argmax(1).cpu();
      for (size_t row = 0; row < numbers.size(); ++row) {
        auto& made = texts[numbers[row]];
        const auto index = static_cast<int64_t>(row);
        const auto token = best_B.defined()
                               ? static_cast<int32_t>(best_B[index].item<int64_t>())
                               : choose(logits_BV[index], options, made.size(), first_number + numbers[row]);
        if (std::find(ends.begin(), ends.end(), token) != ends.end()) continue;
        made.push_back(token);
        if (static_cast<int64_t>(made.size()) < options.tokens) next.emplace_back(numbers[row], token);
      }
    }
    std::sort(next.begin(), next.end());
    return next;
  }

  GeneratedText result(size_t number) const {
    GeneratedText result;
    result.text = tokenizer().decode(texts[number]);
    result.prompt_tokens = static_cast<int64_t>(prompt_ids[number].size());
    result.tokens = static_cast<int64_t>(texts[number].size());
    result.passes = generator->passes();
    result.trained_length = loaded.model.trained_length;
    result.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    return result;
  }

  const Loaded& loaded;
  const GenerateOptions& options;
  uint64_t first_number;
  EvalContext model;
  Clock::time_point begin = Clock::now();
  std::vector<int32_t> ends;
  std::vector<std::vector<int32_t>> prompt_ids, texts;  // texts: what follows the prompts
  std::optional<TextGenerator> generator;
};

GeneratedText Generation::generate(const GenerateOptions& options, const std::string& prompt, const RunContext& context,
                                   const std::function<bool(const std::string& text)>& show) const {
  Growing growing(*loaded_, options, std::span(&prompt, 1), 0);
  bool stopped = context.stopped();
  while (!stopped) {
    const size_t known = growing.texts[0].size();
    const auto next = growing.choose_next();
    const bool wanted = growing.texts[0].size() == known || show(growing.tokenizer().decode(growing.texts[0]));
    if (next.empty() || !wanted) break;
    if ((stopped = context.stopped())) break;
    growing.generator->add(next);
  }
  GeneratedText result = growing.result(0);
  result.stopped = stopped;
  return result;
}

std::vector<GeneratedText> Generation::generate(const GenerateOptions& options, std::span<const std::string> prompts,
                                                uint64_t first, const RunContext& context,
                                                const std::function<void(int64_t)>& progress) const {
  Growing growing(*loaded_, options, prompts, first);
  for (auto next = growing.choose_next(); !next.empty(); next = growing.choose_next()) {
    progress(static_cast<int64_t>(prompts.size() - next.size()));
    if (context.stopped()) return {};
    growing.generator->add(next);
  }
  std::vector<GeneratedText> results;
  for (size_t number = 0; number < prompts.size(); ++number) results.push_back(growing.result(number));
  return results;
}

std::string Generation::identity() const {
  return rfs::format("{}\nweights = {}\n", loaded_->settings.toml(),
                     file_sha256(loaded_->run.file("model.safetensors")));
}

std::optional<PolicyRecord> Generation::compare(const GenerateOptions& options, int64_t texts,
                                                const RunContext& context) const {
  const Run& run = loaded_->run;
  require_writable(run.folder());
  const auto known = known_texts(*loaded_->data, options, texts);
  PolicyRecord record;
  const int64_t part = std::max<int64_t>(1, loaded_->model.trained_length / 2);
  const auto model = loaded_->context();
  const Measuring measuring(Measurement::comparison, run.name(), context);
  try {
    record.parts = compare_policies(*loaded_->model.decoder, model, options, known, part,
                                    [&](int64_t done, int64_t all) { measuring.progress("tokens", done, all); });
  } catch (const Measuring::Stopped&) {
    return std::nullopt;
  }
  record.texts = static_cast<int64_t>(known.size());
  record.trained_length = loaded_->model.trained_length;
  record.settings = loaded_->settings.toml() + rfs::format("\n[generate]\nbucket = {}\n", *options.bucket);
  auto more = libraries();
  more["device"] = loaded_->device.str();
  record.provenance = provenance(context.command, more);
  write_policies(run.file("policies.json"), record);
  write_policies_report(record, run.file("policies"));
  context.events->measured(rfs::format("compared the policies on {} texts", known.size()));
  return record;
}

}  // namespace rfs
