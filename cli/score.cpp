#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>

#include "experiment.h"
#include "print.h"
#include "progress.h"
#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/core/sha256.h"
#include "rfs/engine/engine.h"
#include "rfs/eval/scoring.h"
#include "rfs/model/device.h"
#include "rfs/model/store.h"
#include "rfs/report/scores.h"
#include "trained.h"
#include "training.h"
#include "verbs.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

struct Arguments {
  std::string folder, data;
  std::vector<std::string> benchmarks, assignments;
  bool again = false;
};

struct Stopped {};

/// A benchmark that is to be scored, with its documents read.
struct Wanted {
  std::string name, options;  ///< options as TOML
  int64_t context_size = 0;   ///< 0: the median
  std::unique_ptr<Benchmark> benchmark;
  fs::path file;
  std::vector<Document> documents;
};

/// What the command line asks for.
struct Scoring {
  ScoreOptions options;
  std::vector<std::string> of_the_run;  ///< assignments to eval.* and positions.*
  std::vector<Wanted> wanted;
};

std::string toml(const std::string& table, const Options& options) {
  std::string text = rfs::format("\n[{}]\n", table);
  for (const auto& entry : options.entries()) {
    text += rfs::format("{} = {}\n", entry.name, options.value(entry).text());
  }
  return text;
}

/// The folder of benchmarks: as given, else `benchmarks` below the folder RFS_DATA names or below `data`.
fs::path data_folder(const std::string& given) {
  if (!given.empty()) return given;
  const char* folder = std::getenv("RFS_DATA");
  return fs::path(folder && *folder ? folder : "data") / "benchmarks";
}

Scoring read_scoring(const Arguments& arguments) {
  Scoring scoring;
  Settings settings;
  const auto known = Registry<Benchmark>::names();
  for (const auto& name : arguments.benchmarks) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      throw Error("--benchmarks: " + unknown("benchmark", name, known));
    }
    if (std::count(arguments.benchmarks.begin(), arguments.benchmarks.end(), name) > 1) {
      throw Error(rfs::format("--benchmarks: each must be named once, got '{}' again", name));
    }
  }
  std::vector<std::string> tables = {"eval", "positions", "score"};
  tables.insert(tables.end(), arguments.benchmarks.begin(), arguments.benchmarks.end());
  for (const auto& assignment : arguments.assignments) {
    const std::string table = assignment.substr(0, assignment.find_first_of(".="));
    if (std::find(tables.begin(), tables.end(), table) == tables.end()) {
      throw Error(
          rfs::format("--set {}: {}", assignment.substr(0, assignment.find('=')), unknown("table", table, tables)));
    }
    if (table == "eval" || table == "positions") {
      scoring.of_the_run.push_back(assignment);
    } else {
      settings.assign(assignment);
    }
  }
  if (const Table* table = settings.find("score")) scoring.options.read(*table);
  for (const auto& name : arguments.benchmarks) {
    const auto& entry = Registry<Benchmark>::find(name, "--benchmarks");
    const auto options = entry.options();
    if (const Table* table = settings.find(name)) options->read(*table);
    const auto& common = static_cast<const BenchmarkOptions&>(*options);
    Wanted wanted{name, toml(name, *options), common.context_size, entry.make(*options), {}, {}};
    wanted.file = benchmark_file(*wanted.benchmark, name, common.file, data_folder(arguments.data));
    wanted.documents = read_documents(*wanted.benchmark, wanted.file);
    scoring.wanted.push_back(std::move(wanted));
  }
  return scoring;
}

/// Scores one run and writes its records; returns them. Throws Stopped on Ctrl-C, when those that are done are written.
std::vector<ScoreRecord> score_run(const Run& run, const Scoring& scoring, bool again, const Program& program) {
  require_trained(run, "it is scored");
  const std::string path = run.file("model.safetensors").string();
  TensorFile file = read_tensors(path);
  const auto experiment =
      Experiment::read(assigned(Settings::from_text(stored_settings(file, path), path), scoring.of_the_run));
  require_writable(run.folder());
  const torch::Device device = choose_device(*experiment.eval.device, "eval.device");
  const StoredModel model = load_model(std::move(file), path, device);
  const auto tokenizer = experiment.tokenizer.make();
  require_same_ids(*tokenizer, experiment.tokenizer.use, *model.decoder, path);
  const auto indexing = experiment.positions.make();
  std::unique_ptr<Engine> engine;  // in float32: a score is a sum of log-probabilities, and near ones are compared
  if (device.is_cuda() && engine_refusal(model.decoder->options()).empty()) {
    engine = std::make_unique<Engine>(*model.decoder, Element::fp32);
  }
  const Predictor& predictor = engine ? static_cast<const Predictor&>(*engine) : *model.decoder;
  const EvalContext evaluated{predictor, *indexing, model.trained_length, experiment.eval};

  std::vector<ScoreRecord> records;
  std::vector<EncodedDocuments> encoded;
  ProgressLine line(run.name());
  const auto check = [&](int64_t, int64_t) {
    if (program.stopped()) throw Stopped{};
  };
  for (const Wanted& wanted : scoring.wanted) {
    ScoreRecord record;
    record.benchmark = wanted.name;
    record.title = wanted.benchmark->title();
    record.trained_length = model.trained_length;
    record.file = wanted.file.string();
    record.sha256 = file_sha256(wanted.file);
    record.settings = experiment.toml() + toml("score", scoring.options) + wanted.options;
    records.push_back(record);
    try {
      encoded.push_back(
          encode_documents(*tokenizer, *wanted.benchmark, wanted.documents, scoring.options.longest, check));
    } catch (const Error& error) {
      throw Error(rfs::format("{}: {}", record.file, error.what()));
    }
  }
  for (size_t i = 0; i < records.size(); ++i) {
    const Wanted& wanted = scoring.wanted[i];
    ScoreRecord& record = records[i];
    if (const auto done = scored_benchmarks(run);
        !again && std::find(done.begin(), done.end(), wanted.name) != done.end()) {
      const auto old = read_scores(run, wanted.name);
      if (old.settings == record.settings && old.file == record.file && old.sha256 == record.sha256) {
        say("{}  {} is scored already\n", run.name(), record.title);
        record = old;
        continue;
      }
    }
    record.median = wanted.context_size == 0;
    record.context_size = record.median ? median(encoded[i].sizes()) : static_cast<double>(wanted.context_size);
    if (scoring.options.limit > 0) encoded[i].keep(scoring.options.limit);
    const auto begin = std::chrono::steady_clock::now();
    const auto seconds = [&] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    const auto show = [&](int64_t done, int64_t all) {
      if (program.stopped()) throw Stopped{};
      if (!line.due() || done == 0) return;
      const double left = seconds() * static_cast<double>(all - done) / static_cast<double>(done);
      line.show(static_cast<double>(done), static_cast<double>(all),
                rfs::format("{}  {} of {} tokens  {} left", record.title, count(static_cast<double>(done)),
                            count(static_cast<double>(all)), duration(left)));
    };
    const auto documents = score_documents(evaluated, encoded[i], scoring.options.batch, show);
    summarise(record, documents, wanted.benchmark->normalised());
    record.seconds = seconds();
    auto more = libraries();
    more["device"] = device.str();
    record.provenance = provenance(program.command, more);
    write_scores(run, record, documents);
    line.finish(rfs::format("{} scored in {}: {} documents, acc {:.4f}", record.title, duration(record.seconds),
                            record.all.documents, record.all.acc));
  }
  return records;
}

}  // namespace

void add_score(Command& app, const Program& program, int& status) {
  Command verb = app.add_subcommand("score", "Score trained language models on multiple-choice benchmarks");
  auto arguments = std::make_shared<Arguments>();
  verb.add_option("RUN", arguments->folder, "a run's folder, or one that holds runs").required();
  verb.add_option("--benchmarks", arguments->benchmarks, "names, with commas; `rfs list benchmark` knows them")
      .comma_separated()
      .required();
  verb.add_option("--data", arguments->data, "folder of their files (default: benchmarks below RFS_DATA or data)");
  verb.add_option("--set", arguments->assignments,
                  "score.key=value, BENCHMARK.key=value, eval.key=value or positions.key=value")
      .one_value();
  verb.add_flag("--again", arguments->again, "score even where a record of the same settings is there");
  verb.callback([arguments, &program, &status] {
    const auto runs = find_runs(arguments->folder);
    const auto scoring = read_scoring(*arguments);
    try {
      for (const Run& run : runs) {
        print("{}\n{}\n", run.name(), score_summary(score_run(run, scoring, arguments->again, program)));
      }
    } catch (const Stopped&) {
      say("rfs: stopped; benchmarks that were done are kept\n");
      status = exit_stopped;
      return;
    }
    print("Next: rfs report {} --scores\n", arguments->folder);
  });
}

}  // namespace rfs
