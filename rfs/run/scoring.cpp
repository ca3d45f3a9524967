#include "rfs/run/scoring.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/core/sha256.h"
#include "rfs/core/words.h"
#include "rfs/eval/scoring.h"
#include "rfs/run/measuring.h"
#include "rfs/run/stored_settings.h"
#include "rfs/run/text_model.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

std::string toml(const std::string& table, const Options& options) {
  std::string text = rfs::format("\n[{}]\n", table);
  for (const auto& entry : options.entries()) {
    text += rfs::format("{} = {}\n", entry.name, options.value(entry).text());
  }
  return text;
}

/// The folder of benchmarks: as given, else `benchmarks` below the folder that RFS_DATA names, or below `data`.
fs::path data_folder(const fs::path& given) {
  if (!given.empty()) return given;
  const char* folder = std::getenv("RFS_DATA");
  return fs::path(folder && *folder ? folder : "data") / "benchmarks";
}

/// True if a table in a record's settings has the values of `options`. Missing keys get their defaults.
bool has_options(const Settings& stored, const std::string& table, const Options& options, Options& defaults) {
  if (const Table* written = stored.find(table)) defaults.read(*written);
  return toml(table, defaults) == toml(table, options);
}

}  // namespace

Scoring::Scoring(const ScoreRequest& request) : again_(request.again) {
  Settings settings;
  const auto known = Registry<Benchmark>::names();
  for (const auto& name : request.benchmarks) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      throw Error("--benchmarks: " + unknown("benchmark", name, known));
    }
    if (std::count(request.benchmarks.begin(), request.benchmarks.end(), name) > 1) {
      throw Error(rfs::format("--benchmarks: each must be named once, got '{}' again", name));
    }
  }
  std::vector<std::string> tables = {"eval", "positions", "score"};
  tables.insert(tables.end(), request.benchmarks.begin(), request.benchmarks.end());
  for (const auto& assignment : request.assignments) {
    require_table(assignment, tables);
    if (assignment.starts_with("eval.") || assignment.starts_with("positions.")) {
      run_assignments_.push_back(assignment);
    } else {
      settings.assign(assignment);
    }
  }
  if (const Table* table = settings.find("score")) options_.read(*table);
  for (const auto& name : request.benchmarks) {
    const auto& entry = Registry<Benchmark>::find(name, "--benchmarks");
    const std::shared_ptr<Options> options = entry.options();
    if (const Table* table = settings.find(name)) options->read(*table);
    const auto& common = static_cast<const BenchmarkOptions&>(*options);
    Wanted wanted{name, options, common.context_size, entry.make(*options), {}, {}};
    wanted.file = benchmark_file(*wanted.benchmark, name, common.file, data_folder(request.data));
    wanted.documents = read_documents(*wanted.benchmark, wanted.file);
    wanted_.push_back(std::move(wanted));
  }
}

std::optional<std::vector<ScoreRecord>> Scoring::score(const Run& run, const RunContext& context) const {
  try {
    return score_all(run, context);
  } catch (const Measuring::Stopped&) {
    return std::nullopt;
  }
}

bool Scoring::is_current(const ScoreRecord& old, const ScoreRecord& fresh, const RunSettings& settings,
                         const Wanted& wanted) const {
  if (old.file != fresh.file || old.sha256 != fresh.sha256 || !has_settings(old.settings, settings)) return false;
  try {
    const auto stored = Settings::from_text(old.settings, "settings");
    ScoreOptions defaults;
    return has_options(stored, "score", options_, defaults) &&
           has_options(stored, wanted.name, *wanted.options,
                       *Registry<Benchmark>::find(wanted.name, "settings").options());
  } catch (const Error&) {  // written by another version
    return false;
  }
}

std::vector<ScoreRecord> Scoring::score_all(const Run& run, const RunContext& context) const {
  const TextModel model(run, run_assignments_);
  const RunSettings& settings = model.settings();
  const EvalContext model_context = model.context();

  std::vector<ScoreRecord> records;
  std::vector<EncodedDocuments> encoded;
  const Measuring measuring(Measurement::scoring, run.name(), context);
  const auto check = [&](int64_t, int64_t) { measuring.require_going(); };
  for (const Wanted& wanted : wanted_) {
    ScoreRecord record;
    record.benchmark = wanted.name;
    record.title = wanted.benchmark->title();
    record.trained_length = model.trained_length();
    record.file = wanted.file.string();
    record.sha256 = file_sha256(wanted.file);
    record.settings = settings.toml() + toml("score", options_) + toml(wanted.name, *wanted.options);
    records.push_back(record);
    try {
      encoded.push_back(
          encode_documents(model.tokenizer(), *wanted.benchmark, wanted.documents, options_.longest, check));
    } catch (const Error& error) {
      throw Error(rfs::format("{}: {}", record.file, error.what()));
    }
  }
  for (size_t i = 0; i < records.size(); ++i) {
    const Wanted& wanted = wanted_[i];
    ScoreRecord& record = records[i];
    if (const auto done = scored_benchmarks(run);
        !again_ && std::find(done.begin(), done.end(), wanted.name) != done.end()) {
      auto old = read_scores(run, wanted.name);
      if (is_current(old, record, settings, wanted)) {
        context.events->note(run.name(), record.title + " is already scored");
        record = std::move(old);
        continue;
      }
    }
    record.median = wanted.context_size == 0;
    record.context_size = record.median ? median(encoded[i].sizes()) : static_cast<double>(wanted.context_size);
    if (options_.limit > 0) encoded[i].keep(options_.limit);
    const auto begin = std::chrono::steady_clock::now();
    const auto progress = [&](int64_t done, int64_t all) { measuring.progress(record.title, done, all); };
    progress(0, 1);
    const auto documents = score_documents(model_context, encoded[i], options_.batch, progress);
    summarise(record, documents, wanted.benchmark->normalised());
    record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    record.provenance = provenance(context.command, model.environment());
    write_scores(run, record, documents);
    context.events->measured(rfs::format("{} scored in {}: {} documents, acc {:.4f}", record.title,
                                         duration_text(record.seconds), record.all.documents, record.all.acc));
  }
  return records;
}

}  // namespace rfs
