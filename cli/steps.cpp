#include "steps.h"

#include <fmt/format.h>

#include <chrono>

#include "print.h"
#include "progress.h"
#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/engine/engine.h"
#include "rfs/eval/exact_match.h"
#include "rfs/eval/generate.h"
#include "rfs/model/device.h"
#include "rfs/model/store.h"
#include "rfs/report/report.h"
#include "rfs/report/table.h"
#include "rfs/tasks/examples.h"
#include "training.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

struct Stopped {};

std::vector<EvalRecord::Strip> position_strips(const Experiment& experiment, int64_t trained_length) {
  const auto indexing = experiment.positions.make();
  std::vector<EvalRecord::Strip> strips;
  const auto seed = static_cast<uint64_t>(*experiment.train.seed);
  for (uint64_t i = 0; i < 3; ++i) {
    Stream stream(seed, "positions", i);
    std::vector<float> positions(static_cast<size_t>(trained_length));
    indexing->train(stream, trained_length, positions);
    strips.push_back({fmt::format("training, {} tokens", trained_length), positions});
  }
  for (const int64_t input : {trained_length / 2, trained_length, 2 * trained_length}) {
    Stream stream(static_cast<uint64_t>(*experiment.eval.seed), "inference positions");
    std::vector<float> positions(static_cast<size_t>(input));
    try {
      indexing->infer(stream, trained_length, input, positions);
    } catch (const Error&) {
      continue;  // an indexing that cannot number so long a row; evaluation says so where it matters
    }
    strips.push_back({fmt::format("inference, {} tokens", input), positions});
  }
  return strips;
}

}  // namespace

bool eval_run(const Run& run, const std::vector<std::string>& assignments, bool again, const std::string& title,
              const Program& program, const std::string& name) {
  if (!run.trained()) {
    throw Error(
        fmt::format("{}: must be trained before it is evaluated, got a run without train.json", run.folder().string()));
  }
  const auto path = run.file("model.safetensors");
  TensorFile file = read_tensors(path);
  Settings settings = Settings::from_text(stored_settings(file, path.string()), path.string());
  for (const auto& assignment : assignments) {
    if (!assignment.starts_with("eval.") && !assignment.starts_with("positions.") &&
        !assignment.starts_with("task.test_")) {
      throw Error(
          fmt::format("--set {}: evaluation must leave what was trained as it was; it may change eval.*, positions.* "
                      "and task.test_*",
                      assignment.substr(0, assignment.find('='))));
    }
    settings.assign(assignment);
  }
  require_writable(run.folder());
  const auto experiment = Experiment::read(settings);
  if (!again && run.evaluated(name) && run.eval_record(name).settings == experiment.toml()) {
    say("{}  already evaluated, in {}\n", title, run.folder().string());
    return true;
  }
  const auto device = choose_device(*experiment.eval.device, "eval.device");
  const StoredModel model = load_model(std::move(file), path.string(), device);
  const Data data(experiment);
  if (data.tokenizer->size() != model.decoder->vocabulary()) {
    throw Error(fmt::format("{}: the task must have the model's {} words, got {}", path.string(),
                            model.decoder->vocabulary(), data.tokenizer->size()));
  }
  const auto indexing = experiment.positions.make();
  std::unique_ptr<Engine> engine;
  if (device.is_cuda() && engine_refusal(model.decoder->options()).empty()) {
    engine =
        std::make_unique<Engine>(*model.decoder, *experiment.train.precision == "fp32" ? Element::fp32 : Element::bf16);
  }
  const Predictor& predictor = engine ? static_cast<const Predictor&>(*engine) : *model.decoder;
  const Evaluated evaluated{predictor, *indexing, model.trained_length, experiment.eval};
  const auto begin = std::chrono::steady_clock::now();
  ProgressLine line(title);
  EvalRecord record;
  record.settings = experiment.toml();
  try {
    for (const Split split : {Split::validation, Split::test}) {
      const auto samples = data.samples(split);
      const auto examples = data.examples(split);
      const auto stop = [&] {
        if (program.stopped()) throw Stopped{};
      };
      const auto show = [&](int64_t done, int64_t all) {
        stop();
        line.show(static_cast<double>(done), static_cast<double>(all),
                  fmt::format("{} of {} {} samples", done, all, split == Split::test ? "longer" : "validation"));
      };
      const auto decode = [&](std::span<const int32_t> ids) {
        if (!ids.empty() && ids.back() == data.tokenizer->end()) ids = ids.first(ids.size() - 1);
        return data.tokenizer->decode(ids);
      };
      const auto prompt = [&](size_t i) {
        const auto row = examples.row(static_cast<int64_t>(i));
        const int64_t answer = examples.answer(static_cast<int64_t>(i));
        return Prompt{row.first(static_cast<size_t>(answer)), static_cast<int64_t>(row.size()) - answer, i};
      };
      const auto expected = [&](size_t i) {
        return decode(examples.row(static_cast<int64_t>(i))
                          .subspan(static_cast<size_t>(examples.answer(static_cast<int64_t>(i)))));
      };
      std::vector<bool> right;
      if (*experiment.eval.match == "ids") {
        right = exact_match(evaluated, examples, show);
      } else {
        constexpr size_t together = 500;
        for (size_t first = 0; first < samples.size(); first += together) {
          std::vector<Prompt> some;
          for (size_t i = first; i < std::min(samples.size(), first + together); ++i) some.push_back(prompt(i));
          const auto given = generate(*model.decoder, evaluated, some, data.tokenizer->end(), stop);
          for (size_t k = 0; k < given.size(); ++k)
            right.push_back(data.task->right(decode(given[k]), expected(first + k)));
          show(static_cast<int64_t>(right.size()), static_cast<int64_t>(samples.size()));
        }
      }
      const auto bins = by_length(examples, right, split == Split::validation);
      record.lengths.insert(record.lengths.end(), bins.begin(), bins.end());

      // The first few samples of each length, decoded for showing.
      std::map<int64_t, int64_t> shown;
      std::vector<size_t> chosen;
      std::vector<Prompt> prompts;
      for (size_t i = 0; i < samples.size(); ++i) {
        if (shown[samples[i].length]++ >= experiment.eval.answers) continue;
        chosen.push_back(i);
        prompts.push_back(prompt(i));
      }
      const auto texts = generate(*model.decoder, evaluated, prompts, data.tokenizer->end(), stop);
      for (size_t k = 0; k < chosen.size(); ++k) {
        const size_t i = chosen[k];
        record.answers.push_back({samples[i].length, samples[i].prompt, expected(i), decode(texts[k]), right[i]});
      }
    }
  } catch (const Stopped&) {
    line.finish("stopped; nothing was written");
    return false;
  }
  record.strips = position_strips(experiment, model.trained_length);
  record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  auto more = libraries();
  more["device"] = device.str();
  record.provenance = provenance(program.command, more);
  run.write(record, name);
  const auto text = [&](bool trained) {
    const auto mean = record.mean(trained);
    return mean ? share_text(*mean) : "-";
  };
  line.finish(fmt::format("evaluated in {}: exact match {} on trained lengths, {} on longer ones",
                          duration(record.seconds), text(true), text(false)));
  return true;
}

void report_runs(const std::vector<fs::path>& folders, const fs::path& out) {
  const auto series = read_series(folders);
  write_report(series, out);
  print("\nExact match\n\n{}\nFigure  {}\nPage    {}\n", summary_table(series), (out / "accuracy.png").string(),
        (out / "index.html").string());
}

}  // namespace rfs
