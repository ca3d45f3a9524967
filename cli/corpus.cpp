// rfs corpus make | show

#include "corpus.h"

#include <memory>

#include "verbs.h"

namespace rfs {

void add_corpus(Command& app, const RunContext& context, int& status) {
  Command verb = app.add_subcommand("corpus", "Tokenize text into a corpus for language-model training");
  verb.require_subcommand();
  auto arguments = std::make_shared<CorpusArguments>();
  Command one = verb.add_subcommand("make",
                                    "Tokenize texts into shards; an end token follows each document.\n"
                                    "An input is text, JSON lines (.jsonl, .ndjson) or a tar archive of these, plain "
                                    "or compressed (xz, gz, zst), also nested,\n"
                                    "or a folder of such files. Run a stopped command again to resume it");
  one.add_option("OUT", arguments->folder, "output folder").required();
  one.add_option("INPUT", arguments->inputs, "files or folders").required();
  one.add_option("--documents", arguments->documents,
                 "how to split files into documents; auto: JSON lines by file name, other files by separator; file: "
                 "one document per file; separator: at lines equal to the separator; paragraph: at blank lines; line: "
                 "one document per line; json: one JSON object per line")
      .show_default();
  one.add_option("--separator", arguments->separator, "the line that separates documents").show_default();
  one.add_option("--field", arguments->field, "the key of the text in JSON lines").show_default();
  one.add_option("--validation", arguments->validation,
                 "fraction of documents for validation, chosen by a hash of their text")
      .show_default()
      .real_range(0.0, 0.9);
  one.add_option("--seed", arguments->seed, "seed that selects the validation documents").show_default();
  one.add_option("--shard", arguments->shard_tokens,
                 "size of a shard in tokens; a shard ends with the document that reaches it")
      .show_default()
      .range(1, int64_t{1} << 32);
  one.add_option("--threads", arguments->threads, "number of tokenizer threads (default: all cores)").range(1, 1024);
  one.add_option("--set", arguments->assignments, "tokenizer.key=value (default: GPT-2's tokenizer)").one_value();
  one.callback([arguments, &context, &status] {
    if (!make_corpus(*arguments, context)) status = exit_stopped;
  });

  one = verb.add_subcommand("show", "Count the documents and tokens of a corpus and show the first documents");
  one.add_option("FOLDER", arguments->folder, "a folder written by rfs corpus make").required();
  one.add_option("--samples", arguments->samples, "number of documents to show per split")
      .show_default()
      .range(0, 1'000'000);
  one.add_flag("--check", arguments->check, "also read every shard and check its hash");
  one.callback([arguments] { show_corpus(*arguments); });
}

}  // namespace rfs
