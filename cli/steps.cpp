#include "steps.h"

#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <torch/version.h>
#include <unistd.h>

#include <chrono>

#include "print.h"
#include "progress.h"
#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/eval/exact_match.h"
#include "rfs/eval/generate.h"
#include "rfs/model/device.h"
#include "rfs/model/store.h"
#include "rfs/report/report.h"
#include "rfs/report/table.h"
#include "rfs/tasks/examples.h"
#include "rfs/train/session.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

struct Stopped {};

/// Settings that decide what is trained: all but the last table, [eval].
std::string trained_part(const std::string& toml) {
  return toml.substr(0, toml.find("\n[eval]"));
}

void require_same_settings(const Run& run, const Experiment& experiment) {
  std::istringstream there(trained_part(run.settings())), here(trained_part(experiment.toml()));
  std::string table;
  for (std::string a, b; there || here;) {
    if (!std::getline(there, a)) a.clear();
    if (!std::getline(here, b)) b.clear();
    if (a.starts_with('[')) table = a;
    if (a != b) {
      throw Error(
          fmt::format("{}: this run must go on with its own settings ({} {}), got {}; give another --out or remove it",
                      run.folder().string(), table, a, b));
    }
  }
}

/// Throws Error where the machine cannot hold the model while it trains: weights, gradients and two moments.
void require_memory(const Experiment& experiment, int64_t vocabulary) {
  const auto& m = experiment.model;
  const auto product = [](auto... factors) { return (1.0 * ... * static_cast<double>(factors)); };
  const double layer = product(4, *m.heads, *m.head_width, *m.width) + product(2, *m.feed_width, *m.width);
  const double bytes = 16 * (product(*m.layers, layer) + product(m.tied ? 1 : 2, vocabulary, *m.width));
  const double memory = product(sysconf(_SC_PHYS_PAGES), sysconf(_SC_PAGE_SIZE));
  if (bytes > memory) {
    throw Error(
        fmt::format("model: must fit into this machine's {:.0f} GB, got {:.0f} GB for weights, gradients and moments",
                    memory / 1e9, bytes / 1e9));
  }
}

/// Tokens of the longest training and test rows.
struct Longest {
  int64_t train = 0, test = 0;
};

Longest longest_rows(const Experiment& experiment) {
  static std::map<std::string, Longest> known;  // many points of a sweep share their data
  const std::string key = experiment.toml("task") + experiment.toml("tokenizer");
  const auto found = known.find(key);
  if (found != known.end()) return found->second;
  const Data data(experiment);
  const auto longest = [&](Split split) { return data.examples(split).longest(); };
  return known[key] = {longest(Split::train), longest(Split::test)};
}

Provenance libraries() {
  return {{"libtorch", TORCH_VERSION}, {"threads", std::to_string(at::get_num_threads())}};
}

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

void check_run(const fs::path& folder, const Experiment& experiment) {
  const Run run(folder);
  if (run.exists()) require_same_settings(run, experiment);
  if (run.trained()) return;
  require_memory(experiment, Data(experiment).tokenizer->size());
  const Longest longest = longest_rows(experiment);
  const auto indexing = experiment.positions.make();
  std::vector<float> positions(static_cast<size_t>(std::max(longest.train, longest.test)));
  Stream stream(0, "check");
  indexing->train(stream, longest.train, std::span(positions).first(static_cast<size_t>(longest.train)));
  indexing->infer(stream, longest.train, longest.test, std::span(positions).first(static_cast<size_t>(longest.test)));
}

bool train_run(const fs::path& folder, const Experiment& experiment, const std::string& title, const Program& program) {
  const Run run(folder);
  std::error_code ignored;
  if (run.trained()) {
    fs::remove(run.file("checkpoint.safetensors"), ignored);
    const auto record = run.train_record();
    say("{}  already trained: {} steps, loss {:.4f}, in {}\n", title, record.steps, record.loss, folder.string());
    return true;
  }
  const Data data(experiment);
  const auto indexing = experiment.positions.make();
  const auto examples = data.examples(Split::train);
  const int64_t trained_length = examples.longest();
  Decoder decoder(experiment.model, data.tokenizer->size(), experiment.encoding.make());
  decoder.initialise(static_cast<uint64_t>(*experiment.train.seed));
  Trainer trainer(decoder, *indexing, examples, trained_length, experiment.train);
  require_writable(folder);
  if (const int64_t words = data.task->vocabulary().names; words > 0) {
    write_file(run.file("words.txt"), join(data.tokenizer->words(words), "\n") + "\n");
  }
  write_file(run.file("settings.toml"), experiment.toml());

  ProgressLine line(title);
  TrainHooks hooks;
  hooks.stop = program.stopped;
  hooks.progress = [&](const Progress& p) {
    if (!line.due()) return;
    line.show(static_cast<double>(p.step), static_cast<double>(p.steps),
              fmt::format("step {}/{}  loss {:.4f}  lr {:.2e}  {} tok/s  {} left", p.step, p.steps, p.loss,
                          p.learning_rate, count(p.tokens_per_second), duration(p.seconds_left)));
  };
  auto record = train(run, decoder, trainer, experiment.train, trained_length, hooks);
  if (!record) {
    line.finish(fmt::format("stopped after step {}; the same command goes on from there", trainer.updates()));
    return false;
  }
  record->provenance = provenance(program.command, libraries());
  run.write(*record);
  fs::remove(run.file("checkpoint.safetensors"), ignored);
  line.finish(fmt::format("trained: {} steps in {}, loss {:.4f}, {} tok/s", record->steps, duration(record->seconds),
                          record->loss, count(static_cast<double>(record->tokens) / std::max(record->seconds, 1e-9))));
  return true;
}

bool eval_run(const Run& run, const std::vector<std::string>& assignments, bool again, const std::string& title,
              const Program& program) {
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
  if (!again && run.evaluated() && run.eval_record().settings == experiment.toml()) {
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
  const Evaluated evaluated{*model.decoder, *indexing, model.trained_length, experiment.eval};
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
  run.write(record);
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
