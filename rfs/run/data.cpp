#include "rfs/run/data.h"

#include <algorithm>
#include <filesystem>

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/core/sha256.h"
#include "rfs/core/split.h"
#include "rfs/run/events.h"
#include "rfs/run/stored_settings.h"
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

namespace {

/// Digit significance as a task defines it, for rows of token ids.
class DigitGroups : public TokenGroups {
 public:
  DigitGroups(const Task& task, const Tokenizer& tokenizer) : task_(task), tokenizer_(tokenizer) {}

  std::vector<int64_t> groups(std::span<const int32_t> tokens, int64_t count) const override {
    const auto end = std::find(tokens.begin(), tokens.end(), tokenizer_.end());
    const auto known = static_cast<int64_t>(end - tokens.begin());
    std::string text = tokenizer_.decode(tokens.first(static_cast<size_t>(std::min(known, count))));
    if (end == tokens.end()) {
      for (int64_t i = known; i + 1 < count; ++i) text += " 0";  // words of the answer; its end is no digit
    }
    auto groups = task_.significance(text);
    groups.resize(static_cast<size_t>(count), 0);
    return groups;
  }

 private:
  const Task& task_;
  const Tokenizer& tokenizer_;
};

/// True if each word of the task's texts is one id, next to every other word. Then the words of a row and its ids have
/// the same numbers.
bool words_are_ids(const Task& task, const Tokenizer& tokenizer) {
  const auto words = task.vocabulary().fixed;
  for (const auto& word : words) {
    for (const auto& next : words) {
      const auto ids = tokenizer.encode(word + " " + next);
      if (ids.size() != 2 || split_words(tokenizer.decode(ids)) != std::vector<std::string_view>{word, next}) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace

std::shared_ptr<const TokenGroups> RunData::groups() const {
  if (task->significance("0").empty()) return nullptr;
  return std::make_shared<DigitGroups>(*task, *tokenizer);
}

PositionTracks run_tracks(const RunSettings& settings, const std::shared_ptr<const RunData>& data) {
  PositionTracks tracks = settings.tracks();
  if (!tracks.uses_groups()) return tracks;
  const auto groups = data->groups();
  if (!groups) {
    throw Error(
        rfs::format("positions.use: {} needs a task whose digits have a significance, such as long_addition; got {}",
                    settings.positions.use, settings.task.use));
  }
  if (!words_are_ids(*data->task, *data->tokenizer)) {
    throw Error(rfs::format(
        "tokenizer.use: positions.use={} needs one id per word of the task {}, but {} splits or changes its "
        "words; set tokenizer.use=words",
        settings.positions.use, settings.task.use, settings.tokenizer.use));
  }
  tracks.set_groups(groups);
  return tracks;
}

/// True if a data file was made with these tokenizer settings. An option that was added later has its default there.
static bool same_tokenizer(const std::string& of_file, const std::string& own) {
  return of_file == own ||
         with_todays_defaults("[tokenizer]\n" + of_file) == with_todays_defaults("[tokenizer]\n" + own);
}

Examples RunData::make_examples(Split split) const {
  if (const auto ready = task->examples(split, *tokenizer)) return *ready;
  const auto path = task->examples_file(split);
  std::error_code ignored;
  if (!path.empty() && std::filesystem::exists(path, ignored)) {
    auto file = map_examples(path);
    const bool fits = tokenizer->takes_any_ids() || same_tokenizer(file.tokenizer, tokenizer_settings);
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
