#include "rfs/run/long_scoring.h"

#include <algorithm>
#include <chrono>
#include <set>

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/core/words.h"
#include "rfs/eval/answers.h"
#include "rfs/eval/likelihood.h"
#include "rfs/run/measuring.h"
#include "rfs/run/stored_settings.h"
#include "rfs/run/text_model.h"
#include "rfs/suite/fit.h"

namespace rfs {
namespace {

/// Throws Error if the positions of a row of `longest` tokens are outside the table of learned positions, or if an
/// indexing has none.
void require_positions(const TextModel& model, int64_t longest) {
  const RunSettings& settings = model.settings();
  const auto positions =
      settings.tracks().infer(static_cast<uint64_t>(*settings.eval.seed), 0, model.trained_length(), longest, longest);
  for (const auto& kind : settings.kinds) {
    const double most = kind.encoding.make()->largest_position(), last = positions[kind.track].back();
    if (last > most) {
      throw Error(
          rfs::format("--lengths {}: the model has learned positions up to {:g}, and a row of {} tokens needs "
                      "{:g}; choose shorter lengths",
                      longest, most, longest, last));
    }
  }
}

/// The share of the text before the answer; 0 for tasks without a depth.
double share_of_text(int64_t depth) {
  return std::max(0.0, static_cast<double>(depth) / 100);
}

double mean_score(const std::vector<LongRecord::Answer>& answers) {
  double sum = 0;
  for (const auto& answer : answers) sum += answer.score;
  return sum / static_cast<double>(answers.size());
}

/// The mean log-probability per token of the right answers.
double mean_log_likelihood(const TextModel& model, const std::vector<LongRow>& rows,
                           const std::function<void(int64_t, int64_t)>& progress) {
  std::vector<Continuation> continuations;
  int64_t tokens = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    continuations.push_back(continuation(model.tokenizer(), rows[i].sample.prompt, rows[i].sample.answer));
    continuations.back().sample = i;
    tokens += continuations.back().count;
  }
  double sum = 0;
  const auto all = static_cast<int64_t>(rows.size());
  for (const double one : log_likelihoods(model.context(), continuations, all, progress)) sum += one;
  return sum / static_cast<double>(tokens);
}

}  // namespace

LongScoring::LongScoring(LongRequest request) : request_(std::move(request)) {
  if (request_.lengths.empty()) throw Error("--lengths: must have at least one length, got none");
  if (request_.samples < 1) throw Error(rfs::format("--samples: must be at least 1, got {}", request_.samples));
  const auto known = Registry<LongTask>::names();
  if (request_.tasks.empty()) request_.tasks = known;
  for (const auto& name : request_.tasks) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      throw Error("--tasks: " + unknown("task of the suite", name, known));
    }
    if (std::count(request_.tasks.begin(), request_.tasks.end(), name) > 1) {
      throw Error(rfs::format("--tasks: each must be named once, got '{}' again", name));
    }
    const auto& entry = Registry<LongTask>::find(name, "--tasks");
    Wanted wanted{name, entry.make(*entry.options()), {-1}};
    if (wanted.task->has_depth()) wanted.depths = {0, 25, 50, 75, 100};
    wanted_.push_back(std::move(wanted));
  }
  const std::vector<std::string> tables = {"encoding", "eval", "positions"};
  for (const auto& assignment : request_.assignments) {
    if (assignment.starts_with("eval.") || changes_inference(assignment)) continue;
    require_table(assignment, tables);
    throw Error(
        rfs::format("--set {}: scoring cannot change what was trained; it can change eval.*, positions.* and options "
                    "of the encoding",
                    assignment.substr(0, assignment.find('='))));
  }
  const std::set<int64_t> sorted(request_.lengths.begin(), request_.lengths.end());
  request_.lengths.assign(sorted.begin(), sorted.end());
}

LongScoring::~LongScoring() = default;

std::optional<std::vector<LongRecord>> LongScoring::score(const Run& run, const RunContext& context) const {
  try {
    return score_all(run, context);
  } catch (const Measuring::Stopped&) {
    return std::nullopt;
  }
}

void LongScoring::require_possible(const Run& run, const TextModel& model) const {
  try {
    require_positions(model, request_.lengths.back());
  } catch (const Error& error) {
    throw Error(rfs::format("{}: {}", run.folder().string(), error.what()));
  }
  for (const Wanted& wanted : wanted_) {
    for (const int64_t length : request_.lengths) {
      int64_t needed = 0;
      for (const int64_t depth : wanted.depths) {
        for (int64_t i = 0; i < request_.samples; ++i) {
          needed = std::max(needed, shortest_length(*wanted.task, model.tokenizer(), stream(wanted, length, depth, i),
                                                    share_of_text(depth)));
        }
      }
      if (length < needed) {
        throw Error(rfs::format("--lengths {}: {} needs at least {} tokens with this tokenizer; choose a longer length",
                                length, wanted.name, needed));
      }
    }
    row(model, wanted, request_.lengths.back(), wanted.depths.front(), 0);
  }
}

Stream LongScoring::stream(const Wanted& wanted, int64_t length, int64_t depth, int64_t number) const {
  return {static_cast<uint64_t>(request_.seed), rfs::format("long {} {} {}", wanted.name, length, depth),
          static_cast<uint64_t>(number)};
}

LongRow LongScoring::row(const TextModel& model, const Wanted& wanted, int64_t length, int64_t depth,
                         int64_t number) const {
  try {
    return fit_sample(*wanted.task, model.tokenizer(), stream(wanted, length, depth, number), share_of_text(depth),
                      length);
  } catch (const Error& error) {
    throw Error(rfs::format("--lengths {}: {} {}", length, wanted.name, error.what()));
  }
}

LongRecord LongScoring::begun(const Run& run, const TextModel& model, const std::string& task) const {
  LongRecord record;
  record.task = task;
  record.samples = request_.samples;
  record.seed = request_.seed;
  record.trained_length = model.trained_length();
  record.settings = model.settings().toml();
  const auto done = long_tasks(run);
  if (std::find(done.begin(), done.end(), task) == done.end()) return record;
  auto old = read_long_record(run, task);
  const bool current = old.samples == record.samples && old.seed == record.seed &&
                       old.trained_length == record.trained_length && has_settings(old.settings, model.settings());
  if (!current && !request_.again) {
    throw Error(rfs::format("{}: has scores with other settings, --samples or --seed; add --again to replace them",
                            run.file("long-" + task + ".json").string()));
  }
  return current ? old : record;
}

LongRecord::Cell LongScoring::score_cell(const TextModel& model, const Wanted& wanted, int64_t length, int64_t depth,
                                         const std::function<void(double share)>& progress) const {
  const Tokenizer& tokenizer = model.tokenizer();
  std::vector<LongRow> rows;
  for (int64_t i = 0; i < request_.samples; ++i) {
    progress(0);
    rows.push_back(row(model, wanted, length, depth, i));
  }
  std::vector<Prompt> prompts;
  for (size_t i = 0; i < rows.size(); ++i) prompts.push_back({rows[i].prompt, rows[i].budget, i});
  const auto part = [&](int64_t done, int64_t all) { return static_cast<double>(done) / static_cast<double>(all); };
  const auto ends = tokenizer.ends();
  const auto given = greedy_answers(model.decoder(), model.context(), prompts, ends, [&](int64_t done, int64_t all) {
    progress((depth < 0 ? 1 : 0.5) * part(done, all));
  });
  LongRecord::Cell cell{length, depth};
  for (size_t i = 0; i < rows.size(); ++i) {
    std::span<const int32_t> ids = given[i];
    if (!ids.empty() && std::find(ends.begin(), ends.end(), ids.back()) != ends.end()) ids = ids.first(ids.size() - 1);
    const std::string text = tokenizer.decode(ids);
    const auto& references = rows[i].sample.references;
    cell.answers.push_back(
        {static_cast<int64_t>(rows[i].prompt.size()), references, text, wanted.task->score(text, references)});
  }
  cell.score = mean_score(cell.answers);
  if (depth >= 0) {
    cell.log_likelihood =
        mean_log_likelihood(model, rows, [&](int64_t done, int64_t all) { progress(0.5 + 0.5 * part(done, all)); });
  }
  return cell;
}

std::vector<LongRecord> LongScoring::score_all(const Run& run, const RunContext& context) const {
  const TextModel model(run, request_.assignments);
  require_possible(run, model);
  for (const Wanted& wanted : wanted_) begun(run, model, wanted.name);  // before anything is scored
  const Measuring measuring(Measurement::scoring, run.name(), context);
  std::vector<LongRecord> records;
  for (const Wanted& wanted : wanted_) {
    LongRecord record = begun(run, model, wanted.name);
    std::vector<std::pair<int64_t, int64_t>> missing;  // length and depth
    int64_t all = 0, done = 0;                         // tokens
    for (const int64_t length : request_.lengths) {
      for (const int64_t depth : wanted.depths) {
        if (!request_.again && record.find(length, depth)) continue;
        missing.emplace_back(length, depth);
        all += length * request_.samples;
      }
    }
    if (missing.empty()) context.events->note(run.name(), wanted.name + " is already scored");
    const auto start = std::chrono::steady_clock::now();
    for (const auto& [length, depth] : missing) {
      const auto begin = std::chrono::steady_clock::now();
      const auto tokens = static_cast<double>(length * request_.samples);
      record.add(score_cell(model, wanted, length, depth, [&](double share) {
        measuring.progress(wanted.name, done + static_cast<int64_t>(share * tokens), all);
      }));
      done += length * request_.samples;
      record.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      record.provenance = provenance(context.command, model.environment());
      write_long_record(run, record);
    }
    if (!missing.empty()) {
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      context.events->measured(rfs::format("{} scored in {}", wanted.name, duration_text(seconds)));
    }
    records.push_back(std::move(record));
  }
  return records;
}

}  // namespace rfs
