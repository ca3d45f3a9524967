#pragma once

/// \mainpage
/// `#include <rfs/rfs.h>` has the public interface of the library. A program may also include single headers of its
/// list. Headers that are not on the list can change in any version. docs/cpp.md shows how to use the library.
///
/// - Whole runs: rfs::RunSettings, rfs::Job, rfs::check_jobs, rfs::train_jobs, rfs::evaluate_run, rfs::report_runs,
///   rfs::Scoring, rfs::Generation; rfs::RunContext and rfs::RunEvents connect them to the caller.
/// - What a method overrides: rfs::PositionIndexing, rfs::PositionEncoding, rfs::AttentionRule, rfs::OptimizerRule,
///   rfs::Task, rfs::Benchmark, rfs::Tokenizer. rfs::Registry makes a class known by name, and rfs::Options holds its
///   settings.
/// - Models: rfs::Decoder, rfs::ModelSpec, rfs::Batch, rfs::Decoding, rfs::load_model, rfs::save_model.
/// - Records: rfs::Run, rfs::TrainRecord, rfs::EvalRecord, rfs::ScoreRecord.
/// - Mistakes of a user: rfs::Error.

// Options, settings and errors
#include "rfs/core/choices.h"
#include "rfs/core/error.h"
#include "rfs/core/memory.h"
#include "rfs/core/options.h"
#include "rfs/core/random.h"
#include "rfs/core/registry.h"
#include "rfs/core/settings.h"
#include "rfs/core/value.h"
#include "rfs/core/version.h"

// What a method overrides
#include "rfs/attention/attention_rule.h"
#include "rfs/benchmarks/benchmark.h"
#include "rfs/benchmarks/record.h"
#include "rfs/core/learned.h"
#include "rfs/encodings/encoding.h"
#include "rfs/optimizers/optimizer_rule.h"
#include "rfs/positions/groups.h"
#include "rfs/positions/indexing.h"
#include "rfs/tasks/examples.h"
#include "rfs/tasks/generated.h"
#include "rfs/tasks/symbol_task.h"
#include "rfs/tasks/task.h"
#include "rfs/tasks/word_task.h"
#include "rfs/text/tokenizer.h"

// Models
#include "rfs/model/batch.h"
#include "rfs/model/decoder.h"
#include "rfs/model/decoding.h"
#include "rfs/model/options.h"
#include "rfs/model/parameters.h"
#include "rfs/model/predictor.h"
#include "rfs/model/safetensors.h"
#include "rfs/model/settings.h"
#include "rfs/model/spec.h"
#include "rfs/model/store.h"
#include "rfs/positions/tracks.h"

// Records
#include "rfs/records/eval_record.h"
#include "rfs/records/long_record.h"
#include "rfs/records/policies.h"
#include "rfs/records/provenance.h"
#include "rfs/records/run.h"
#include "rfs/records/scores.h"
#include "rfs/records/train_record.h"

// Whole runs
#include "rfs/eval/generate_options.h"
#include "rfs/eval/options.h"
#include "rfs/eval/score_options.h"
#include "rfs/run/data.h"
#include "rfs/run/data_folder.h"
#include "rfs/run/evaluation.h"
#include "rfs/run/events.h"
#include "rfs/run/export_run.h"
#include "rfs/run/generation.h"
#include "rfs/run/import_run.h"
#include "rfs/run/jobs.h"
#include "rfs/run/long_scoring.h"
#include "rfs/run/report.h"
#include "rfs/run/scoring.h"
#include "rfs/run/settings.h"
#include "rfs/run/source.h"
#include "rfs/run/stored_settings.h"
#include "rfs/run/sweep.h"
#include "rfs/run/training.h"
#include "rfs/train/options.h"
#include "rfs/train/progress.h"
#include "rfs/train/ranks.h"

/// Transformers with float position indices.
namespace rfs {}
