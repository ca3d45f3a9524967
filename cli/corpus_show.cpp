// rfs corpus show

#include <algorithm>
#include <filesystem>

#include "corpus.h"
#include "print.h"
#include "rfs/core/words.h"
#include "rfs/corpus/corpus.h"
#include "rfs/run/settings.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;

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

/// The first lines of a text, shortened for display.
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

}  // namespace

void print_counts(const Manifest& manifest) {
  for (const auto& [name, shards] : {std::pair("train", &manifest.train), {"validation", &manifest.validation}}) {
    print("{:<11} {:>9} documents  {:>12} tokens  {:>4} shards\n", name, documents(*shards), tokens(*shards),
          shards->size());
  }
  if (manifest.empty > 0) print("skipped     {:>9} documents without text\n", manifest.empty);
  if (manifest.broken > 0) {
    print("skipped     {:>9} broken documents, the first: {}\n", manifest.broken, manifest.reasons.front());
  }
}

void show_corpus(const CorpusArguments& arguments) {
  const Corpus corpus(arguments.folder);
  const auto& manifest = corpus.manifest();
  const auto tokenizer = RunSettings::read(Settings::from_text("[tokenizer]\n" + corpus.tokenizer_settings(),
                                                               (fs::path(arguments.folder) / "manifest.json").string()))
                             .tokenizer.make();
  corpus.require(*tokenizer);
  if (arguments.check) corpus.check();
  print_counts(manifest);
  print("text        {:>9} from {} files; {:.3f} bytes per token\n", bytes_text(static_cast<double>(manifest.bytes)),
        manifest.plan.sources.size(),
        static_cast<double>(manifest.bytes) /
            static_cast<double>(corpus.train().tokens() + corpus.validation().tokens()));
  print("vocabulary  {:>9} ids, {} bytes each; hash {}{}\n", corpus.vocabulary(), manifest.plan.tokenizer.width(),
        corpus.hash().substr(0, 16), arguments.check ? "; all shard hashes match" : "");
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

}  // namespace rfs
