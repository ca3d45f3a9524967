#include "rfs/run/generation.h"

#include <algorithm>
#include <chrono>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
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
    const std::string table = assignment.substr(0, assignment.find_first_of(".="));
    if (!changes_inference(assignment) && std::find(tables.begin(), tables.end(), table) == tables.end()) {
      throw Error(
          rfs::format("--set {}: {}", assignment.substr(0, assignment.find('=')), unknown("table", table, tables)));
    }
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

GeneratedText Generation::generate(const GenerateOptions& options, const std::string& prompt, const RunContext& context,
                                   const std::function<bool(const std::string& text)>& show) const {
  const Tokenizer& tokenizer = *loaded_->data->tokenizer;
  auto ids = tokenizer.encode(prompt);
  if (ids.empty()) ids.push_back(tokenizer.end());
  const auto model = loaded_->context();
  const auto begin = Clock::now();
  TextGenerator generator(*loaded_->model.decoder, model, options, ids);
  GeneratedText result;
  std::vector<int32_t> made;
  bool wanted = true;
  while (static_cast<int64_t>(made.size()) < options.tokens && wanted && !(result.stopped = context.stopped())) {
    const int32_t next = choose(generator.logits(), options, made.size());
    if (next == tokenizer.end()) break;
    made.push_back(next);
    wanted = show(tokenizer.decode(made));
    if (static_cast<int64_t>(made.size()) < options.tokens) generator.add(next);
  }
  result.text = tokenizer.decode(made);
  result.prompt_tokens = static_cast<int64_t>(ids.size());
  result.tokens = static_cast<int64_t>(made.size());
  result.passes = generator.passes();
  result.trained_length = loaded_->model.trained_length;
  result.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return result;
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
