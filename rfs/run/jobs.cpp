#include "rfs/run/jobs.h"

#include <algorithm>
#include <map>
#include <set>

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/core/memory.h"
#include "rfs/core/version.h"
#include "rfs/core/words.h"
#include "rfs/engine/engine.h"
#include "rfs/records/run.h"
#include "rfs/run/data.h"
#include "rfs/run/folders.h"
#include "rfs/run/libraries.h"
#include "rfs/run/source.h"
#include "rfs/run/stored_settings.h"
#include "rfs/train/adapters.h"
#include "rfs/train/make_trainer.h"
#include "rfs/train/memory_estimate.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

void require_same_settings(const Run& run, const RunSettings& settings) {
  const auto stored = stored_run_settings(run.settings(), run.file("settings.toml").string());
  if (const auto different = first_difference(stored, settings, /*trained_part=*/true)) {
    throw Error(
        rfs::format("{}: this run began with other settings ([{}] {}, now {}); choose another --out or remove the run",
                    run.folder().string(), different->table, different->first, different->second));
  }
}

/// Throws Error if the machine cannot hold the model in training: weights, gradients and two moments; with adapters
/// the weights twice and gradients.
void require_memory(const RunSettings& settings, int64_t vocabulary) {
  const double bytes = (settings.train.lora > 0 ? 12 : 16) * weight_count(settings.spec(vocabulary, 1));
  if (bytes > machine_memory()) {
    throw Error(
        rfs::format("model: must fit into this machine's {:.0f} GB, got {:.0f} GB for weights, gradients and moments",
                    machine_memory() / 1e9, bytes / 1e9));
  }
}

/// Throws Error if the device has less memory than training needs.
void require_device_memory(const TrainSetup& setup, const ModelSpec& spec, const TrainOptions& options,
                           const OptimizerRule& optimizer, const Examples& examples, int ranks) {
  const bool gpu = setup.tier == Tier::engine || !setup.decoder.is_cpu();
  const TrainedModel model{spec, setup.tier, gpu, static_cast<int64_t>(optimizer.state_names().size())};
  const auto needed = training_memory(model, options, largest_pass(examples, options, ranks));
  const double available = gpu ? rfs::gpu().bytes : machine_memory();
  if (needed.total() <= available) return;
  const auto fitting = fitting_settings(model, options, examples, ranks, available);
  throw Error(rfs::format("memory: model and batch need about {} of {} ({}); {}", bytes_text(needed.total()),
                          bytes_text(available), needed.text(),
                          fitting.empty() ? "lower the model's sizes" : "set " + fitting));
}

/// What the splits tell about a run before training. Many points of a sweep share it.
struct Sizes {
  int64_t train = 0, test = 0;  ///< tokens of the longest rows
  int64_t validation = 0;       ///< examples
};

std::span<const int32_t> longest_row(const Examples& examples) {
  std::span<const int32_t> longest;
  for (int64_t i = 0; i < (examples.window() ? std::min<int64_t>(1, examples.size()) : examples.size()); ++i) {
    if (examples.row(i).size() > longest.size()) longest = examples.row(i);
  }
  return longest;
}

/// Throws Error if training cannot start from the model that train.from names.
void check_source(const RunSettings& settings, int64_t vocabulary, int64_t trained_length) {
  if (settings.train.from->empty()) return;
  match(Source(*settings.train.from), settings, vocabulary, trained_length);
  if (settings.train.lora > 0) Adapters::require_rank(settings.spec(vocabulary, trained_length), settings.train.lora);
}

void check_job(const Job& job, std::map<std::string, Sizes>& known, const RunContext& context) {
  const auto& settings = job.settings;
  const Run run(job.folder);
  if (run.exists()) require_same_settings(run, settings);
  if (run.trained()) return;
  const auto shared = context.data->get(settings);
  const RunData& data = *shared;
  require_memory(settings, data.tokenizer->size());
  const auto [entry, is_new] = known.try_emplace(settings.toml("task") + settings.toml("tokenizer"));
  Sizes& sizes = entry->second;
  if (is_new) {
    sizes = {data.examples(Split::train).trained_length(), data.examples(Split::test).longest(),
             data.examples(Split::validation).size()};
  }
  if (*settings.train.checkpoint == KeptWeights::best && sizes.validation == 0) {
    throw Error("train.checkpoint: best needs validation data, but the task has none; set it to last");
  }
  check_source(settings, data.tokenizer->size(), sizes.train);
  const auto positions = run_tracks(settings, shared);
  const ModelSpec spec = settings.spec(data.tokenizer->size(), sizes.train);
  const auto optimizer = settings.optimizer.make();
  const Examples examples = data.examples(Split::train);
  const int ranks = context.ranks->size();
  const TrainSetup setup = train_setup(spec, settings.train, ranks, *optimizer, examples.tokens().size_bytes());
  require_device_memory(setup, spec, settings.train, *optimizer, examples, ranks);
  const auto trained = longest_row(examples), tested = longest_row(data.examples(Split::test));
  positions.train(0, 0, sizes.train, sizes.train, trained);
  positions.infer(0, 0, sizes.train, sizes.test, sizes.test, tested);
}

}  // namespace

void check_jobs(const std::vector<Job>& jobs, const RunContext& context) {
  std::set<fs::path> folders;
  for (const Job& job : jobs) {
    if (!folders.insert(fs::weakly_canonical(job.folder)).second) {
      throw Error(rfs::format("{}: two runs would use this folder; give each its own", job.folder.string()));
    }
    if (const auto& from = *job.settings.train.from;
        !from.empty() && fs::weakly_canonical(from) == fs::weakly_canonical(job.folder)) {
      throw Error(rfs::format("train.from: a run cannot start from itself, got {}; choose another --out", from));
    }
    require_apart(job.folder, true);
    require_run_folder(job.folder);
  }
  std::map<std::string, Sizes> known;
  for (const Job& job : jobs) check_job(job, known, context);
}

void require_same_ranks(const std::vector<Job>& jobs, const Ranks& ranks) {
  std::string settings;
  for (const Job& job : jobs) settings += job.settings.toml();
  require_same(ranks, "settings", rfs::format("settings of hash {:016x}", std::hash<std::string>()(settings)));
  require_same(ranks, "rfs", rfs::format("{} ({})", version, commit()));
  require_same(ranks, "OMP_NUM_THREADS", processor_text());
}

}  // namespace rfs
