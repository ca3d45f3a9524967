#include <algorithm>
#include <map>
#include <memory>

#include "print.h"
#include "prompt.h"
#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/core/words.h"
#include "rfs/report/policies.h"
#include "rfs/run/prompts.h"
#include "rfs/text/unicode.h"
#include "verbs.h"

namespace rfs {
namespace {

struct Arguments {
  std::string run, file;
  std::optional<std::string> prompt;
  std::map<std::string, std::string> options;  ///< the given GenerateOptions
  std::vector<std::string> assignments;
  bool compare = false;
  int64_t texts = 8;
  PromptsRequest prompts;
};

/// The flag of an option: top_k is --top-k.
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

/// Prints a text as it grows, only in whole characters.
class Screen {
 public:
  bool show(const std::string& text, bool whole) {
    std::string fresh = text.substr(std::min(shown_, text.size()));
    const auto broken = first_broken_byte(fresh);
    if (!whole && broken && fresh.size() - *broken < 4) fresh.resize(*broken);
    shown_ += fresh.size();
    return print_now(fresh);
  }

 private:
  size_t shown_ = 0;
};

/// Returns false if it was stopped.
bool generate_text(const Generation& generation, const GenerateOptions& options, const std::string& prompt,
                   const RunContext& context) {
  Screen screen;
  const auto result =
      generation.generate(options, prompt, context, [&](const std::string& text) { return screen.show(text, false); });
  screen.show(result.text, true);
  print("\n");
  say("{}  {} tokens after a prompt of {} in {}, {:.1f} tokens/s; n_in {}, {} over the whole text; training length "
      "{}\n",
      generation.run().name(), result.tokens, result.prompt_tokens, duration_text(result.seconds),
      static_cast<double>(result.tokens) / result.seconds, enum_name(*options.n_in),
      result.passes == 1 ? "one pass" : rfs::format("{} passes", result.passes), result.trained_length);
  return !result.stopped;
}

/// Returns false if it was stopped.
bool compare(const Generation& generation, const GenerateOptions& options, int64_t texts, const RunContext& context) {
  const auto record = generation.compare(options, texts, context);
  if (!record) {
    say("rfs: stopped; nothing was written\n");
    return false;
  }
  print("\n{}\nFigures  {}\n", policies_table(*record), generation.run().file("policies").string());
  return true;
}

/// Returns false if it was stopped.
bool generate_file(const Generation& generation, const GenerateOptions& options, const PromptsRequest& request,
                   const RunContext& context) {
  const bool done = generate_prompts(generation, options, request, context,
                                     [](const std::string& line) { return print_now(line + "\n"); });
  if (!done) say("rfs: stopped{}\n", request.out.empty() ? "" : "; run the same command again to resume");
  return done;
}

}  // namespace

void add_generate(Command& app, const RunContext& context, int& status) {
  Command verb = app.add_subcommand("generate", "Generate text beyond the training context");
  auto arguments = std::make_shared<Arguments>();
  verb.add_option("RUN", arguments->run, "a trained run's folder").required();
  verb.add_option("--prompt", arguments->prompt, "the text to continue (default: standard input)");
  verb.add_option("--file", arguments->file, "a file with the text to continue");
  verb.add_option("--prompts", arguments->prompts.file,
                  "a file of prompts: its lines, or the \"prompt\" of each JSON line (.jsonl)")
      .excludes("--prompt")
      .excludes("--file");
  verb.add_option("--batch", arguments->prompts.batch, "prompts to continue at the same time (16)")
      .range(1, 1 << 20)
      .needs("--prompts");
  verb.add_option("--out", arguments->prompts.out, "file for the texts, as JSON lines (default: standard output)")
      .needs("--prompts");
  const GenerateOptions options;
  for (const auto& entry : options.entries()) {
    const std::string fallback = options.value(entry).text();
    verb.add_option(flag(entry.name), arguments->options[entry.name], rfs::format("{} ({})", entry.help, fallback));
  }
  verb.add_option("--set", arguments->assignments, "eval.key=value, positions.key=value or task.key=value").one_value();
  verb.add_flag("--compare", arguments->compare,
                "instead, compare all n_in policies on test texts: agreement, loss and time by length")
      .excludes("--prompt")
      .excludes("--file")
      .excludes("--prompts");
  verb.add_option("--texts", arguments->texts, "number of texts for --compare (8)").needs("--compare");
  verb.callback([arguments, verb, &context, &status] {
    std::erase_if(arguments->options, [&](const auto& one) { return verb.count(flag(one.first)) == 0; });
    if (arguments->texts < 1) throw Error(rfs::format("--texts: must be at least 1, got {}", arguments->texts));
    const auto wanted = read_options(*arguments);
    const Generation generation(arguments->run, arguments->assignments);
    const auto generate = [&] {
      if (arguments->compare) return compare(generation, wanted, arguments->texts, context);
      if (!arguments->prompts.file.empty()) return generate_file(generation, wanted, arguments->prompts, context);
      return generate_text(generation, wanted, read_prompt(arguments->prompt, arguments->file, context), context);
    };
    if (!generate()) status = exit_stopped;
  });
}

}  // namespace rfs
