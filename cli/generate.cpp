#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <map>
#include <memory>

#include "experiment.h"
#include "print.h"
#include "progress.h"
#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/eval/policies.h"
#include "rfs/model/device.h"
#include "rfs/model/store.h"
#include "rfs/report/policies.h"
#include "rfs/text/unicode.h"
#include "trained.h"
#include "training.h"
#include "verbs.h"

namespace rfs {
namespace {

struct Arguments {
  std::string run, file;
  std::optional<std::string> prompt;
  std::map<std::string, std::string> options;  ///< of GenerateOptions, as given
  std::vector<std::string> assignments;
  bool compare = false;
  int64_t texts = 8;
};

struct Stopped {};

/// A flag for each option: top_k is --top-k.
std::string flag(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  return "--" + name;
}

GenerateOptions read_options(const Arguments& arguments) {
  GenerateOptions options;
  for (const auto& [key, text] : arguments.options) {
    Settings settings;
    try {
      settings.assign("generate." + key + "=" + text);
    } catch (const Error&) {
      throw Error(
          rfs::format("{}: must be a word or a number of at most 18 digits, got '{}'", flag(key), shortened(text)));
    }
    Value value = *settings.find("generate")->find(key);
    value.origin = flag(key);
    options.set("generate", key, value);
  }
  return options;
}

/// Standard input to its end. Throws Error where the user stops the program meanwhile.
std::string read_input(const Program& program) {
  std::string text;
  std::vector<char> part(1 << 16);
  for (;;) {
    if (program.stopped()) throw Error("standard input: stopped before its end");
    pollfd input{STDIN_FILENO, POLLIN, 0};
    const int ready = poll(&input, 1, 100);
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    const ssize_t count = read(STDIN_FILENO, part.data(), part.size());
    if (count <= 0) return text;
    text.append(part.data(), static_cast<size_t>(count));
  }
}

std::string read_prompt(const Arguments& arguments, const Program& program) {
  if (arguments.prompt && !arguments.file.empty()) throw Error("--prompt: must stand without --file, got both");
  if (arguments.prompt) return *arguments.prompt;
  std::string text;
  if (!arguments.file.empty()) {
    text = read_file(arguments.file);
  } else {
    if (isatty(STDIN_FILENO) == 1) say("rfs: write the prompt, then Ctrl-D on a line of its own\n");
    text = read_input(program);
  }
  if (text.ends_with('\n')) text.pop_back();  // ends the file, not the text
  return text;
}

/// Shows a text as it grows, never a part of a character.
class Screen {
 public:
  void show(const std::string& text, bool whole) {
    std::string fresh = text.substr(std::min(shown_, text.size()));
    const auto broken = first_broken_byte(fresh);
    if (!whole && broken && fresh.size() - *broken < 4) fresh.resize(*broken);
    shown_ += fresh.size();
    print("{}", fresh);
    flush_output();
  }

 private:
  size_t shown_ = 0;
};

/// A trained run, loaded to be written with.
struct Writer {
  Run run;
  Experiment experiment;
  StoredModel model;
  Data data;
  std::unique_ptr<PositionIndexing> indexing;
  torch::Device device;

  EvalContext evaluated() const { return {*model.decoder, *indexing, model.trained_length, experiment.eval}; }
};

Writer load(const Arguments& arguments) {
  const Run run = trained_run(arguments.run, "it writes");
  const std::string path = run.file("model.safetensors").string();
  TensorFile file = read_tensors(path);
  const std::vector<std::string> tables = {"eval", "positions", "task"};
  for (const auto& assignment : arguments.assignments) {
    const std::string table = assignment.substr(0, assignment.find_first_of(".="));
    if (std::find(tables.begin(), tables.end(), table) == tables.end()) {
      throw Error(
          rfs::format("--set {}: {}", assignment.substr(0, assignment.find('=')), unknown("table", table, tables)));
    }
  }
  auto experiment =
      Experiment::read(assigned(Settings::from_text(stored_settings(file, path), path), arguments.assignments));
  const torch::Device device = choose_device(*experiment.eval.device, "eval.device");
  auto model = load_model(std::move(file), path, device);
  Data data(experiment);
  require_same_ids(*data.tokenizer, experiment.tokenizer.use, *model.decoder, path);
  auto indexing = experiment.positions.make();
  return {run, std::move(experiment), std::move(model), std::move(data), std::move(indexing), device};
}

/// False where it was stopped.
bool write_text(const Writer& writer, const GenerateOptions& options, const std::string& prompt,
                const Program& program) {
  const Tokenizer& tokenizer = *writer.data.tokenizer;
  auto ids = tokenizer.encode(prompt);
  if (ids.empty()) ids.push_back(tokenizer.end());
  const auto evaluated = writer.evaluated();
  const auto begin = std::chrono::steady_clock::now();
  TextGenerator writing(*writer.model.decoder, evaluated, options, ids);
  Screen screen;
  std::vector<int32_t> made;
  bool stopped = false;
  const auto nobody_reads = [] { return std::ferror(stdout) != 0; };
  while (static_cast<int64_t>(made.size()) < options.tokens && !nobody_reads() && !(stopped = program.stopped())) {
    const int32_t next = choose(writing.logits(), options, made.size());
    if (next == tokenizer.end()) break;
    made.push_back(next);
    screen.show(tokenizer.decode(made), false);
    if (static_cast<int64_t>(made.size()) < options.tokens) writing.add(next);
  }
  screen.show(tokenizer.decode(made), true);
  print("\n");
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  say("{}  {} tokens after {} in {}, {:.1f} tokens/s; n_in {}, the whole text was run {}; trained on {} tokens\n",
      writer.run.name(), made.size(), ids.size(), duration(seconds), static_cast<double>(made.size()) / seconds,
      *options.n_in, writing.passes() == 1 ? "once" : rfs::format("{} times", writing.passes()),
      writer.model.trained_length);
  return !stopped;
}

/// The beginnings of some test rows.
std::vector<KnownText> known_texts(const Writer& writer, const GenerateOptions& options, int64_t texts) {
  const auto examples = writer.data.examples(Split::test);
  if (examples.size() == 0) throw Error("--compare: the task must have test data, got none");
  std::vector<KnownText> known;
  const int64_t count = std::min(texts, examples.size());
  for (int64_t i = 0; i < count; ++i) {
    const int64_t number = i * examples.size() / count;
    const auto row = examples.row(number);
    const int64_t prompt = examples.answer(number);
    const auto size = std::min<int64_t>(static_cast<int64_t>(row.size()), prompt + options.tokens);
    known.push_back({{row.begin(), row.begin() + size}, prompt});
  }
  return known;
}

void compare(const Writer& writer, const GenerateOptions& options, int64_t texts, const Program& program) {
  require_writable(writer.run.folder());
  const auto known = known_texts(writer, options, texts);
  ProgressLine line(writer.run.name());
  const auto begin = std::chrono::steady_clock::now();
  const auto show = [&](int64_t done, int64_t all) {
    if (program.stopped()) throw Stopped{};
    if (!line.due() || done == 0) return;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    line.show(static_cast<double>(done), static_cast<double>(all),
              rfs::format("{} of {} tokens  {} left", done, all,
                          duration(seconds * static_cast<double>(all - done) / static_cast<double>(done))));
  };
  PolicyRecord record;
  const int64_t part = std::max<int64_t>(1, writer.model.trained_length / 2);
  const auto evaluated = writer.evaluated();
  record.parts = compare_policies(*writer.model.decoder, evaluated, options, known, part, show);
  record.texts = static_cast<int64_t>(known.size());
  record.trained_length = writer.model.trained_length;
  record.settings = writer.experiment.toml() + rfs::format("\n[generate]\nbucket = {}\n", *options.bucket);
  auto more = libraries();
  more["device"] = writer.device.str();
  record.provenance = provenance(program.command, more);
  write_policies(writer.run.file("policies.json"), record);
  write_policies_report(record, writer.run.file("policies"));
  line.finish(rfs::format("compared the policies on {} texts", known.size()));
  print("\n{}\nFigures  {}\n", policies_table(record), writer.run.file("policies").string());
}

}  // namespace

void add_generate(Command& app, const Program& program, int& status) {
  Command verb = app.add_subcommand("generate", "Let a trained run write on, past the lengths it was trained on");
  auto arguments = std::make_shared<Arguments>();
  verb.add_option("RUN", arguments->run, "a trained run's folder").required();
  verb.add_option("--prompt", arguments->prompt, "the text to go on from (default: standard input)");
  verb.add_option("--file", arguments->file, "a file that has it");
  const GenerateOptions options;
  for (const auto& entry : options.entries()) {
    const std::string fallback = options.value(entry).text();
    verb.add_option(flag(entry.name), arguments->options[entry.name], rfs::format("{} ({})", entry.help, fallback));
  }
  verb.add_option("--set", arguments->assignments, "eval.key=value, positions.key=value or task.key=value").one_value();
  verb.add_flag("--compare", arguments->compare,
                "instead: run every policy of n_in over test texts; agreement, loss and time by length")
      .excludes("--prompt")
      .excludes("--file");
  verb.add_option("--texts", arguments->texts, "texts of --compare (8)").needs("--compare");
  verb.callback([arguments, verb, &program, &status] {
    std::erase_if(arguments->options, [&](const auto& one) { return verb.count(flag(one.first)) == 0; });
    if (arguments->texts < 1) throw Error(rfs::format("--texts: must be at least 1, got {}", arguments->texts));
    const auto wanted = read_options(*arguments);
    const auto writer = load(*arguments);
    if (!arguments->compare) {
      if (!write_text(writer, wanted, read_prompt(*arguments, program), program)) status = exit_stopped;
      return;
    }
    try {
      compare(writer, wanted, arguments->texts, program);
    } catch (const Stopped&) {
      say("rfs: stopped; nothing was written\n");
      status = exit_stopped;
    }
  });
}

}  // namespace rfs
