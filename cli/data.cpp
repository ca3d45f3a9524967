// rfs data make | show | stats | import

#include <unistd.h>

#include <algorithm>
#include <map>
#include <memory>
#include <new>
#include <set>

#include "experiment.h"
#include "new_folder.h"
#include "print.h"
#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/core/sha256.h"
#include "rfs/core/split.h"
#include "rfs/report/figure.h"
#include "rfs/tasks/examples_file.h"
#include "rfs/tasks/samples_file.h"
#include "verbs.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;
constexpr Split splits[] = {Split::train, Split::validation, Split::test};

struct Arguments {
  std::string file, out, split = "train";
  std::vector<std::string> assignments;
  int64_t samples = 3, train_up_to = 0, validation = 100;
};

/// Data do not depend on how tokens are numbered or what is trained, so a sweep's first point stands for all of it; a
/// sweep over the data themselves is an Error.
Experiment single(const Arguments& arguments) {
  const auto points = expand(read_settings(arguments.file, arguments.assignments));
  const auto first = Experiment::read(points.front().settings);
  for (const auto& point : points) {
    const auto other = Experiment::read(point.settings);
    if (other.toml("task") != first.toml("task") || other.toml("tokenizer") != first.toml("tokenizer")) {
      throw Error(rfs::format("{}: data must be of one task and tokenizer, got a sweep over them", arguments.file));
    }
  }
  return first;
}

/// Throws Error for a task of texts without samples.
void require_samples(const Data& data) {
  if (!data.task->language()) return;
  throw Error("task.use: must be a task of samples, got corpus, whose texts `rfs corpus show` shows");
}

void make(const Arguments& arguments, const Program& program) {
  require_apart(arguments.out, false);
  require_new(arguments.out);
  const Data data(single(arguments));
  require_samples(data);
  const auto go_on = [&] {
    if (program.stopped()) throw Error(rfs::format("{}: stopped, nothing was written", arguments.out));
  };
  std::string counts;
  make_folder(arguments.out, [&](const fs::path& folder) {
    write_vocabulary(folder, data.task->vocabulary());
    for (const Split split : splits) {
      go_on();
      const auto samples = data.samples(split);
      go_on();
      const auto examples = tokenize(samples, *data.tokenizer);
      go_on();
      const fs::path texts = folder / (split_name(split) + std::string(".jsonl"));
      write_samples(texts, samples);
      write_examples(fs::path(texts).replace_extension(".bin"),
                     {examples, data.tokenizer_settings, file_sha256(texts), data.tokenizer->size()});
      counts += rfs::format("{:<11} {:>7} samples  {:>9} tokens  longest {}\n", split_name(split), samples.size(),
                            examples.tokens().size(), examples.longest());
    }
    go_on();
  });
  print("{}\nTrain on it: rfs train FILE --set task.use=file --set task.folder={}\n", counts, arguments.out);
}

void import(const Arguments& arguments, const Program&) try {
  require_apart(arguments.out, false);
  require_new(arguments.out);
  std::map<Split, std::vector<Sample>> parts;
  Vocabulary vocabulary;
  std::set<std::string> seen;
  Stream stream(1, "import validation");
  int64_t separated = 0;
  for (auto& [sample, split] : read_samples(arguments.file)) {
    if (separate(sample)) ++separated;
    const std::string text = sample.prompt + sample.answer;
    for (const std::string_view word : split_words(text)) {
      if (seen.emplace(word).second) vocabulary.fixed.emplace_back(word);
    }
    if (split.empty() && arguments.train_up_to == 0) {
      throw Error(
          rfs::format("{}: a line must have a split, or --train-up-to must say which lengths are trained, got neither",
                      arguments.file));
    }
    Split to = Split::test;
    if (split == "train" || (split.empty() && sample.length <= arguments.train_up_to)) to = Split::train;
    if (split == "validation") to = Split::validation;
    parts[to].push_back(std::move(sample));
  }
  auto& train = parts[Split::train];
  if (parts[Split::validation].empty()) {  // taken from training, at random, at most half of it
    const auto count = std::min<size_t>(static_cast<size_t>(arguments.validation), train.size() / 2);
    for (size_t i = 0; i < count; ++i) std::swap(train[i], train[i + stream.below(train.size() - i)]);
    const auto border = train.begin() + static_cast<std::ptrdiff_t>(count);
    parts[Split::validation].assign(std::make_move_iterator(train.begin()), std::make_move_iterator(border));
    train.erase(train.begin(), border);
  }
  for (const Split split : splits) {
    if (parts[split].empty())
      throw Error(rfs::format("{}: must give samples for {}, got none", arguments.file, split_name(split)));
  }
  make_folder(arguments.out, [&](const fs::path& folder) {
    write_vocabulary(folder, vocabulary);
    for (const Split split : splits) write_samples(folder / (split_name(split) + std::string(".jsonl")), parts[split]);
  });
  for (const Split split : splits) print("{:<11} {:>7} samples\n", split_name(split), parts[split].size());
  if (separated > 0) print("A space was put between prompt and answer in {} samples that had none.\n", separated);
  print("\nTrain on it: rfs train FILE --set task.use=file --set task.folder={}\n", arguments.out);
} catch (const std::bad_alloc&) {
  throw too_little_memory(arguments.file);
}

/// Samples as text and as tokens: those with loss stand out, and below each is its position.
void show(const Arguments& arguments, const Program&) {
  const auto experiment = single(arguments);
  const Data data(experiment);
  require_samples(data);
  const std::vector<std::string> names = {"train", "validation", "test"};
  const auto split = std::find(names.begin(), names.end(), arguments.split);
  if (split == names.end()) throw Error("--split: " + unknown("split", arguments.split, names));
  const bool test = *split == "test", colour = isatty(STDOUT_FILENO) == 1;
  const auto samples = data.samples(splits[split - names.begin()]);
  const auto indexing = experiment.positions.make();
  const int64_t trained = data.examples(Split::train).trained_length();
  for (size_t i = 0; i < std::min(samples.size(), static_cast<size_t>(arguments.samples)); ++i) {
    const auto examples = tokenize(std::span(samples).subspan(i, 1), *data.tokenizer);
    const auto row = examples.row(0);
    std::vector<float> positions(row.size());
    Stream stream(static_cast<uint64_t>(*experiment.train.seed), "positions", i);
    if (test) {
      indexing->infer(stream, trained, static_cast<int64_t>(row.size()), positions);
    } else {
      indexing->train(stream, trained, positions);
    }
    print("{}length {}: {}{}\n", i == 0 ? "" : "\n", samples[i].length, samples[i].prompt, samples[i].answer);
    for (size_t begin = 0; begin < row.size(); begin += 10) {
      std::string tokens, numbers;
      for (size_t t = begin; t < std::min(row.size(), begin + 10); ++t) {
        const bool loss = static_cast<int64_t>(t) >= examples.answer(0);
        std::string word = t + 1 == row.size() ? "</s>" : data.tokenizer->decode(row.subspan(t, 1));
        if (loss && !colour) word = "*" + word;
        word = rfs::format("{:<10.9}", word);
        tokens += loss && colour ? "\033[1;32m" + word + "\033[0m" : word;
        numbers += rfs::format("{:<10.6g}", positions[t]);
      }
      print("  {}\n  {}{}{}\n", tokens, colour ? "\033[2m" : "", numbers, colour ? "\033[0m" : "");
    }
  }
  print("\nTokens {} carry loss; below each is its position by {}, {}.\n", colour ? "in green" : "with *",
        experiment.positions.use, test ? "as at inference" : "as while training");
}

void stats(const Arguments& arguments, const Program&) {
  if (!arguments.out.empty()) require_report_folder(arguments.out);
  const Data data(single(arguments));
  std::vector<Histogram> histograms;
  for (const Split split : splits) {
    struct Bin {
      int64_t samples = 0, least = INT64_MAX, most = 0, sum = 0;
    };
    const auto examples = data.examples(split);
    std::map<int64_t, Bin> bins;
    Histogram histogram{split_name(split), {}};
    for (int64_t i = 0; i < examples.size(); ++i) {
      const auto tokens = static_cast<int64_t>(examples.row(i).size());
      Bin& bin = bins[examples.length(i)];
      ++bin.samples;
      bin.sum += tokens;
      bin.least = std::min(bin.least, tokens);
      bin.most = std::max(bin.most, tokens);
      ++histogram.counts[tokens];
    }
    histograms.push_back(std::move(histogram));
    print("{}: {} samples, {} tokens, longest {}{}, mean {:.4f}\n\n  length   samples   tokens: least  mean  most\n",
          split_name(split), examples.size(), examples.tokens().size(), examples.longest(),
          split == Split::train ? " = n_tr" : "",
          static_cast<double>(examples.tokens().size()) / static_cast<double>(std::max<int64_t>(1, examples.size())));
    for (const auto& [length, bin] : bins) {
      print("  {:>6} {:>9} {:>15} {:>5.1f} {:>5}\n", length, bin.samples, bin.least,
            static_cast<double>(bin.sum) / static_cast<double>(bin.samples), bin.most);
    }
    print("\n");
  }
  if (arguments.out.empty()) return;
  require_writable(arguments.out);
  draw_histograms(histograms, "tokens of a sample", arguments.out);
  print("Figure  {}\n", (fs::path(arguments.out) / "histogram.png").string());
}

}  // namespace

void add_data(Command& app, const Program& program, int&) {
  Command verb = app.add_subcommand("data", "Make, look at and import data");
  verb.require_subcommand();
  auto arguments = std::make_shared<Arguments>();
  const auto add = [&](const char* name, const char* help, const char* file_help,
                       void (*body)(const Arguments&, const Program&)) {
    Command one = verb.add_subcommand(name, help);
    one.add_option("FILE", arguments->file, file_help).required();
    one.callback([arguments, body, &program] { body(*arguments, program); });
    return one;
  };
  const auto settings = [&](Command one) {
    one.add_option("--set", arguments->assignments, "table.key=value, over the file's").one_value();
  };
  Command one =
      add("make", "Write a task's splits as JSON lines and as ids that training maps", "settings (TOML)", make);
  one.add_option("--out", arguments->out, "the folder to write; must not be there").required();
  settings(one);
  one = add("show", "Show samples as text and tokens, with loss and positions", "settings (TOML)", show);
  one.add_option("--split", arguments->split, "train, validation or test").show_default();
  one.add_option("--samples", arguments->samples, "how many").show_default().range(1, 1'000'000);
  settings(one);
  one = add("stats", "Count samples and tokens by length", "settings (TOML)", stats);
  one.add_option("--out", arguments->out, "also draw a histogram into this folder");
  settings(one);
  one = add("import", "Turn your own JSON lines (prompt, answer, length) into a task", "JSON lines", import);
  one.add_option("--out", arguments->out, "the folder to write; must not be there").required();
  one.add_option("--train-up-to", arguments->train_up_to, "lengths up to this are trained, longer ones are the test")
      .range(1, int64_t{1} << 40);
  one.add_option("--validation", arguments->validation, "trained-length samples kept for validation")
      .show_default()
      .range(1, int64_t{1} << 40);
}

}  // namespace rfs
