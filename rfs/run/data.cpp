#include "rfs/run/data.h"

#include <filesystem>

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/core/sha256.h"
#include "rfs/run/events.h"
#include "rfs/tasks/examples_file.h"

namespace rfs {

RunData::RunData(const RunSettings& settings)
    : task(settings.task.make()), tokenizer(settings.tokenizer.make()), tokenizer_settings(settings.toml("tokenizer")) {
  tokenizer->learn(task->vocabulary());
}

Examples RunData::examples(Split split) const {
  const std::lock_guard lock(mutex_);
  const auto known = examples_.find(split);
  return known != examples_.end() ? known->second : examples_.emplace(split, make_examples(split)).first->second;
}

std::shared_ptr<DataCache> make_data_cache() {
  return std::make_shared<DataCache>();
}

std::shared_ptr<const RunData> DataCache::get(const RunSettings& settings) {
  const std::string key = settings.toml("task") + settings.toml("tokenizer");
  const std::lock_guard lock(mutex_);
  if (!last_ || key_ != key) {
    last_ = nullptr;  // free its memory first
    last_ = std::make_shared<const RunData>(settings);
    key_ = key;
  }
  return last_;
}

Examples RunData::make_examples(Split split) const {
  if (const auto ready = task->examples(split, *tokenizer)) return *ready;
  const auto path = task->examples_file(split);
  std::error_code ignored;
  if (!path.empty() && std::filesystem::exists(path, ignored)) {
    auto file = map_examples(path);
    const bool fits = file.tokenizer == tokenizer_settings || tokenizer->takes_any_ids();
    const auto texts = std::filesystem::path(path).replace_extension(".jsonl");
    const bool other_texts = std::filesystem::exists(texts, ignored) && file.samples != file_sha256(texts);
    if (fits && !other_texts) {
      const int32_t end = end_of(file.examples, path).value_or(tokenizer->end());
      if (file.vocabulary == tokenizer->size() && end == tokenizer->end()) return file.examples;
      if (tokenizer->takes_any_ids()) {
        throw Error(rfs::format(
            "{}: has {} ids and ends answers with id {}, but tokenizer.size is {} and tokenizer.end is {}; "
            "add --set tokenizer.size={} --set tokenizer.end={}",
            path.string(), file.vocabulary, end, tokenizer->size(), tokenizer->end(), file.vocabulary, end));
      }
    } else if (tokenizer->takes_any_ids()) {
      throw Error(rfs::format("{}: was not made from the current {}; make the data folder again", path.string(),
                              texts.filename().string()));
    }
  }
  return tokenize(samples(split), *tokenizer);
}

}  // namespace rfs
