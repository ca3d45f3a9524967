// rfs corpus make

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <optional>
#include <thread>

#include "corpus.h"
#include "print.h"
#include "progress.h"
#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/core/words.h"
#include "rfs/corpus/documents.h"
#include "rfs/corpus/make.h"
#include "rfs/corpus/sources.h"
#include "rfs/run/lock.h"
#include "rfs/run/settings.h"
#include "stop.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// The chosen tokenizer; GPT-2's by default.
RunSettings tokenizer_choice(const std::vector<std::string>& assignments) {
  Settings settings;
  settings.assign("tokenizer.use=gpt2");
  for (const auto& assignment : assignments) {
    if (!assignment.starts_with("tokenizer.")) {
      throw Error(rfs::format("--set: must be tokenizer.key=value here, got '{}'", shortened(assignment)));
    }
    settings.assign(assignment);
  }
  return RunSettings::read(settings);
}

}  // namespace

bool make_corpus(const CorpusArguments& arguments, const RunContext& context) {
  const auto& kinds = document_kinds();
  if (std::find(kinds.begin(), kinds.end(), arguments.documents) == kinds.end()) {
    throw Error("--documents: " + unknown("way to split documents", arguments.documents, kinds));
  }
  if (std::isnan(arguments.validation)) throw Error("--validation: must be between 0 and 0.9, got nan");
  fs::path folder = fs::absolute(arguments.folder).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();  // OUT/
  const auto settings = tokenizer_choice(arguments.assignments);
  CorpusPlan plan;
  plan.sources = corpus_sources(arguments.inputs, folder);
  plan.documents = arguments.documents;
  plan.separator = arguments.separator;
  plan.field = arguments.field;
  plan.validation = arguments.validation;
  plan.seed = arguments.seed;
  plan.shard_tokens = arguments.shard_tokens;
  const auto tokenizer = settings.tokenizer.make();
  if (settings.tokenizer.use == "words") {
    throw Error(
        "tokenizer.use: words takes its vocabulary from a task and cannot tokenize a corpus; choose another tokenizer");
  }
  plan.tokenizer = CorpusTokenizer::of(*tokenizer, settings.toml("tokenizer"));

  CorpusWork work;
  work.threads = static_cast<int>(arguments.threads > 0 ? arguments.threads
                                                        : std::max<int64_t>(1, std::thread::hardware_concurrency()));
  work.provenance = provenance(context.command, {{"threads", std::to_string(work.threads)}});
  work.stopped = context.stopped;
  ProgressLine line(folder.filename().string());
  const auto begin = Clock::now();
  const auto seconds = [](Clock::time_point from) {
    return std::chrono::duration<double>(Clock::now() - from).count();
  };
  std::optional<CorpusProgress> first;  // state at the start: an earlier process may have done a part
  CorpusProgress now;
  auto first_time = begin;
  work.progress = [&](const CorpusProgress& progress) {
    now = progress;
    if (!first || now.bytes == first->bytes) {
      first = progress;
      first_time = Clock::now();
    }
    if (!line.due()) return;
    const double passed = std::max(1e-3, seconds(first_time));
    const double rate = static_cast<double>(now.packed - first->packed) / passed;
    line.show(static_cast<double>(now.packed), static_cast<double>(now.packed_all),
              rfs::format("{} of {}  {} documents  {} tokens  {:.1f} MB/s of text  {} left",
                          bytes_text(static_cast<double>(now.packed)), bytes_text(static_cast<double>(now.packed_all)),
                          now.documents, count_text(static_cast<double>(now.tokens)),
                          static_cast<double>(now.bytes - first->bytes) / 1e6 / passed,
                          rate > 0 ? duration_text(static_cast<double>(now.packed_all - now.packed) / rate) : "?"));
  };
  int64_t broken = 0;
  constexpr int64_t most_printed = 10;
  work.broken = [&](const std::string& reason) {
    if (++broken <= most_printed) line.note("skipped  " + reason);
    if (broken == most_printed) line.note("skipped  further skipped documents are counted and named in manifest.json");
  };

  const RunLock lock(folder);
  if (!lock.held()) {
    throw Error(rfs::format("{}: another process is making this corpus: {}; wait for it or choose another folder",
                            arguments.folder, lock.owner()));
  }
  const StopsItself guard;
  const auto manifest = make_corpus(arguments.folder, plan, *tokenizer, work);
  if (!manifest) {
    line.finish(rfs::format("stopped after {} documents, {} tokens; run the same command to resume", now.documents,
                            count_text(static_cast<double>(now.tokens))));
    return false;
  }
  if (first) {
    const double passed = seconds(begin);
    const double made = static_cast<double>(now.bytes - first->bytes) / 1e6;
    line.finish(rfs::format("tokenized {:.0f} MB of text in {}, {:.1f} MB/s with {} threads", made,
                            duration_text(passed), made / passed, work.threads));
  } else {
    line.finish("already complete; nothing to do");
  }
  print_counts(*manifest);
  return true;
}

}  // namespace rfs
