// rfs corpus make | show

#include "rfs/corpus/corpus.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <thread>

#include "experiment.h"
#include "lock.h"
#include "print.h"
#include "progress.h"
#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/corpus/documents.h"
#include "rfs/corpus/make.h"
#include "rfs/records/run.h"
#include "stop.h"
#include "verbs.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

struct Arguments {
  std::string folder;
  std::vector<std::string> inputs, assignments;
  std::string documents = "auto", separator = "<|endoftext|>", field = "text";
  double validation = 0.005;
  int64_t seed = 1, shard_tokens = int64_t{1} << 25, samples = 3, threads = 0;
  bool check = false;
};

/// The chosen tokenizer, GPT-2's unless told.
Experiment tokenizer_choice(const std::vector<std::string>& assignments) {
  Settings settings;
  settings.assign("tokenizer.use=gpt2");
  for (const auto& assignment : assignments) {
    if (!assignment.starts_with("tokenizer.")) {
      throw Error(rfs::format("--set: must be tokenizer.key=value here, got '{}'", shortened(assignment)));
    }
    settings.assign(assignment);
  }
  return Experiment::read(settings);
}

/// The files of the inputs: a folder stands for those below it, by name.
std::vector<CorpusPlan::Source> sources(const std::vector<std::string>& inputs, const fs::path& out) {
  std::vector<CorpusPlan::Source> all;
  const auto add = [&](const fs::path& file) {
    all.push_back({file.string(), static_cast<int64_t>(fs::file_size(file))});
  };
  for (const auto& input : inputs) {
    const bool is_file = fs::is_regular_file(input);
    if (!is_file && !fs::is_directory(input)) {
      throw Error(rfs::format("{}: must be a file or a folder of files, got neither", input));
    }
    if (is_file) {
      add(input);
      continue;
    }
    const auto way = out.lexically_relative(fs::absolute(input).lexically_normal());
    if (!way.empty() && *way.begin() != "..") {
      throw Error(rfs::format("OUT: must not lie in the input {}, got {}", input, out.string()));
    }
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(input)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
    if (files.empty()) throw Error(rfs::format("{}: must hold files, got none", input));
    std::sort(files.begin(), files.end());
    for (const auto& file : files) add(file);
  }
  return all;
}

int64_t documents(const std::vector<Manifest::Shard>& shards) {
  int64_t all = 0;
  for (const auto& shard : shards) all += shard.documents;
  return all;
}
int64_t tokens(const std::vector<Manifest::Shard>& shards) {
  int64_t all = 0;
  for (const auto& shard : shards) all += shard.tokens;
  return all;
}

void print_counts(const Manifest& manifest) {
  for (const auto& [name, shards] : {std::pair("train", &manifest.train), {"validation", &manifest.validation}}) {
    print("{:<11} {:>9} documents  {:>12} tokens  {:>4} shards\n", name, documents(*shards), tokens(*shards),
          shards->size());
  }
  if (manifest.empty > 0) print("left out    {:>9} documents without text\n", manifest.empty);
  if (manifest.broken > 0) {
    print("left out    {:>9} broken documents, the first: {}\n", manifest.broken, manifest.reasons.front());
  }
}

void make(const Arguments& arguments, const Program& program, int& status) {
  const auto& kinds = document_kinds();
  if (std::find(kinds.begin(), kinds.end(), arguments.documents) == kinds.end()) {
    throw Error("--documents: " + unknown("way to find them", arguments.documents, kinds));
  }
  if (std::isnan(arguments.validation)) throw Error("--validation: must be between 0 and 0.9, got nan");
  fs::path folder = fs::absolute(arguments.folder).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();  // OUT/
  const auto experiment = tokenizer_choice(arguments.assignments);
  CorpusPlan plan;
  plan.sources = sources(arguments.inputs, folder);
  plan.documents = arguments.documents;
  plan.separator = arguments.separator;
  plan.field = arguments.field;
  plan.validation = arguments.validation;
  plan.seed = arguments.seed;
  plan.shard_tokens = arguments.shard_tokens;
  const auto tokenizer = experiment.tokenizer.make();
  if (experiment.tokenizer.use == "words") {
    throw Error("tokenizer.use: must have words of its own for a corpus, got words, which learns them from a task");
  }
  plan.tokenizer = CorpusTokenizer::of(*tokenizer, experiment.toml("tokenizer"));

  CorpusWork work;
  work.threads = static_cast<int>(arguments.threads > 0 ? arguments.threads
                                                        : std::max<int64_t>(1, std::thread::hardware_concurrency()));
  work.provenance = provenance(program.command, {{"threads", std::to_string(work.threads)}});
  work.stopped = program.stopped;
  ProgressLine line(folder.filename().string());
  const auto begin = Clock::now();
  const auto seconds = [](Clock::time_point from) {
    return std::chrono::duration<double>(Clock::now() - from).count();
  };
  std::optional<CorpusProgress> first;  // before the first document: an earlier process may have done some
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
                          now.documents, count(static_cast<double>(now.tokens)),
                          static_cast<double>(now.bytes - first->bytes) / 1e6 / passed,
                          rate > 0 ? duration(static_cast<double>(now.packed_all - now.packed) / rate) : "?"));
  };
  int64_t broken = 0;
  constexpr int64_t told = 10;
  work.broken = [&](const std::string& reason) {
    if (++broken <= told) line.note("left out  " + reason);
    if (broken == told) line.note("left out  more are counted and named in manifest.json, not here");
  };

  const RunLock lock(folder);
  if (!lock.held()) {
    throw Error(rfs::format("{}: must be made by one process at a time, got {}", arguments.folder, lock.owner()));
  }
  const StopsItself guard;
  const auto manifest = make_corpus(arguments.folder, plan, *tokenizer, work);
  if (!manifest) {
    line.finish(rfs::format("stopped at {} documents, {} tokens; the same command goes on from here", now.documents,
                            count(static_cast<double>(now.tokens))));
    status = exit_stopped;
    return;
  }
  if (first) {
    const double passed = seconds(begin);
    const double made = static_cast<double>(now.bytes - first->bytes) / 1e6;
    line.finish(rfs::format("made {:.0f} MB of text in {}, {:.1f} MB/s with {} threads", made, duration(passed),
                            made / passed, work.threads));
  } else {
    line.finish("is made already; nothing to do");
  }
  print_counts(*manifest);
}

/// The first lines of a text, shortened, for showing.
std::string beginning(const std::string& text) {
  std::string shown;
  size_t begin = 0;
  for (int lines = 0; lines < 3 && begin < text.size(); ++lines) {
    const std::string line = text.substr(begin, text.find('\n', begin) - begin);
    begin += line.size() + 1;
    size_t size = std::min<size_t>(line.size(), 100);
    while (size > 0 && size < line.size() && (static_cast<unsigned char>(line[size]) & 0xc0) == 0x80) --size;
    shown += "    " + line.substr(0, size) + (size < line.size() ? " ...\n" : "\n");
  }
  return shown;
}

void show(const Arguments& arguments) {
  const Corpus corpus(arguments.folder);
  const auto& manifest = corpus.manifest();
  const auto tokenizer = Experiment::read(Settings::from_text("[tokenizer]\n" + corpus.tokenizer_settings(),
                                                              (fs::path(arguments.folder) / "manifest.json").string()))
                             .tokenizer.make();
  corpus.require(*tokenizer);
  if (arguments.check) corpus.check();
  print_counts(manifest);
  print("text        {:>9} from {} files; {:.3f} bytes a token\n", bytes_text(static_cast<double>(manifest.bytes)),
        manifest.plan.sources.size(),
        static_cast<double>(manifest.bytes) /
            static_cast<double>(corpus.train().tokens() + corpus.validation().tokens()));
  print("vocabulary  {:>9} ids, {} bytes each; hash {}{}\n", corpus.vocabulary(), manifest.plan.tokenizer.width(),
        corpus.hash().substr(0, 16), arguments.check ? "; every shard's hash agrees" : "");
  for (const auto& [name, part] : {std::pair("train", &corpus.train()), {"validation", &corpus.validation()}}) {
    const auto [begin, end] = part->longest();
    if (end > begin)
      print("\n{}: longest document {} tokens, mean {:.1f}\n", name, end - begin,
            static_cast<double>(part->tokens()) / static_cast<double>(part->documents()));
    for (int64_t i = 0; i < std::min(part->documents(), arguments.samples); ++i) {
      const auto [first, last] = part->document(i);
      std::vector<int32_t> ids(static_cast<size_t>(std::min<int64_t>(last - first - 1, 200)));
      part->read(first, ids);
      print("  document {}, {} tokens\n{}", i, last - first, beginning(tokenizer->decode(ids)));
    }
  }
}

}  // namespace

void add_corpus(Command& app, const Program& program, int& status) {
  Command verb = app.add_subcommand("corpus", "Make texts of any size into tokens to train a language model on");
  verb.require_subcommand();
  auto arguments = std::make_shared<Arguments>();
  Command one =
      verb.add_subcommand("make",
                          "Write texts as shards of tokens, each document with an end token behind it.\n"
                          "An input is text, JSON lines (.jsonl, .ndjson) or a tar of these, plain or compressed (xz, "
                          "gz, zst), also within\n"
                          "each other, or a folder of such files. A stopped command goes on when it is given again.");
  one.add_option("OUT", arguments->folder, "the folder to write").required();
  one.add_option("INPUT", arguments->inputs, "files or folders").required();
  one.add_option(
         "--documents", arguments->documents,
         "where a document ends; auto: JSON lines by their name, other files as with separator; file: with its "
         "file; separator: at a line that is the separator, and with its file; paragraph: at blank lines; line: "
         "with each line; json: with each line, which is JSON")
      .show_default();
  one.add_option("--separator", arguments->separator, "the line between documents").show_default();
  one.add_option("--field", arguments->field, "the key of the text in JSON lines").show_default();
  one.add_option("--validation", arguments->validation, "share of documents for validation, by a hash of their text")
      .show_default()
      .real_range(0.0, 0.9);
  one.add_option("--seed", arguments->seed, "chooses which documents these are").show_default();
  one.add_option("--shard", arguments->shard_tokens, "tokens of a shard; it ends with the document that reaches them")
      .show_default()
      .range(1, int64_t{1} << 32);
  one.add_option("--threads", arguments->threads, "threads that tokenize; all cores unless told").range(1, 1024);
  one.add_option("--set", arguments->assignments, "tokenizer.key=value; GPT-2's tokenizer unless told").one_value();
  one.callback([arguments, &program, &status] { make(*arguments, program, status); });

  one = verb.add_subcommand("show", "Count a corpus's documents and tokens and show the first ones");
  one.add_option("FOLDER", arguments->folder, "what rfs corpus make wrote").required();
  one.add_option("--samples", arguments->samples, "documents of each split to show").show_default().range(0, 1'000'000);
  one.add_flag("--check", arguments->check, "read every shard and compare its hash");
  one.callback([arguments] { show(*arguments); });
}

}  // namespace rfs
