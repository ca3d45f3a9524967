// rfs corpus make | show

#include "corpus.h"

#include <memory>

#include "verbs.h"

namespace rfs {

void add_corpus(Command& app, const RunContext& context, int& status) {
  Command verb = app.add_subcommand("corpus", "Tokenize text into a corpus for language-model training");
  verb.require_subcommand();
  auto arguments = std::make_shared<CorpusArguments>();
  Command one =
      verb.add_subcommand("make",
                          "Write texts as shards of tokens, each document with an end token behind it.\n"
                          "An input is text, JSON lines (.jsonl, .ndjson) or a tar of these, plain or compressed (xz, "
                          "gz, zst), also within\n"
                          "each other, or a folder of such files. Run a stopped command again to resume it");
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
  one.callback([arguments, &context, &status] {
    if (!make_corpus(*arguments, context)) status = exit_stopped;
  });

  one = verb.add_subcommand("show", "Count a corpus's documents and tokens and show the first ones");
  one.add_option("FOLDER", arguments->folder, "what rfs corpus make wrote").required();
  one.add_option("--samples", arguments->samples, "documents of each split to show").show_default().range(0, 1'000'000);
  one.add_flag("--check", arguments->check, "read every shard and compare its hash");
  one.callback([arguments] { show_corpus(*arguments); });
}

}  // namespace rfs
