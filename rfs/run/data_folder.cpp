#include "rfs/run/data_folder.h"

#include <algorithm>
#include <map>
#include <new>
#include <set>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/core/sha256.h"
#include "rfs/core/split.h"
#include "rfs/run/folders.h"
#include "rfs/tasks/examples_file.h"
#include "rfs/tasks/samples_file.h"

namespace rfs {
namespace fs = std::filesystem;

void require_samples(const RunData& data) {
  if (!data.task->language()) return;
  throw Error("task.use: corpus has no samples; `rfs corpus show` prints its texts");
}

std::vector<SplitCounts> make_data(const RunSettings& settings, const fs::path& out, const RunContext& context) {
  require_apart(out, false);
  require_new(out);
  const RunData data(settings);
  require_samples(data);
  const auto check_stopped = [&] {
    if (context.stopped()) throw Error(rfs::format("{}: stopped; nothing was written", out.string()));
  };
  std::vector<SplitCounts> counts;
  make_folder(out, [&](const fs::path& folder) {
    write_vocabulary(folder, data.task->vocabulary());
    for (const Split split : all_splits) {
      check_stopped();
      const auto samples = data.samples(split);
      check_stopped();
      const auto examples = tokenize(samples, *data.tokenizer);
      check_stopped();
      const fs::path texts = folder / (split_name(split) + std::string(".jsonl"));
      write_samples(texts, samples);
      write_examples(fs::path(texts).replace_extension(".bin"),
                     {examples, data.tokenizer_settings, file_sha256(texts), data.tokenizer->size()});
      counts.push_back({split, static_cast<int64_t>(samples.size()), static_cast<int64_t>(examples.tokens().size()),
                        examples.longest()});
    }
    check_stopped();
  });
  return counts;
}

ImportedData import_data(const fs::path& file, const fs::path& out, const ImportOptions& options) try {
  require_apart(out, false);
  require_new(out);
  std::map<Split, std::vector<Sample>> parts;
  Vocabulary vocabulary;
  std::set<std::string> seen;
  Stream stream(1, "import validation");
  ImportedData imported;
  for (auto& [sample, split, counted] : read_samples(file)) {
    if (separate(sample)) ++imported.separated;
    if (counted) ++imported.counted;
    const std::string text = sample.prompt + sample.answer;
    for (const std::string_view word : split_words(text)) {
      if (seen.emplace(word).second) vocabulary.fixed.emplace_back(word);
    }
    if (split.empty() && options.train_up_to == 0) {
      throw Error(
          rfs::format("{}: a line names no split; add a split to each line or set --train-up-to", file.string()));
    }
    Split to = Split::test;
    if (split == "train" || (split.empty() && sample.length <= options.train_up_to)) to = Split::train;
    if (split == "validation") to = Split::validation;
    parts[to].push_back(std::move(sample));
  }
  auto& train = parts[Split::train];
  if (parts[Split::validation].empty()) {  // no validation samples: draw them from the training samples, at most half
    const auto count = std::min<size_t>(static_cast<size_t>(options.validation), train.size() / 2);
    for (size_t i = 0; i < count; ++i) std::swap(train[i], train[i + stream.below(train.size() - i)]);
    const auto border = train.begin() + static_cast<std::ptrdiff_t>(count);
    parts[Split::validation].assign(std::make_move_iterator(train.begin()), std::make_move_iterator(border));
    train.erase(train.begin(), border);
  }
  for (const Split split : all_splits) {
    if (parts[split].empty()) throw Error(rfs::format("{}: has no samples for {}", file.string(), split_name(split)));
  }
  make_folder(out, [&](const fs::path& folder) {
    write_vocabulary(folder, vocabulary);
    for (const Split split : all_splits)
      write_samples(folder / (split_name(split) + std::string(".jsonl")), parts[split]);
  });
  for (const Split split : all_splits) imported.splits.push_back({split, static_cast<int64_t>(parts[split].size())});
  return imported;
} catch (const std::bad_alloc&) {
  throw too_little_memory(file.string());
}

}  // namespace rfs
