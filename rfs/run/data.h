#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "rfs/run/settings.h"
#include "rfs/tasks/examples.h"

namespace rfs {

/// A run's task and tokenizer. The tokenizer knows the task's vocabulary.
struct RunData {
  explicit RunData(const RunSettings& settings);  ///< throws Error

  /// The split as texts.
  std::vector<Sample> samples(Split split) const { return task->samples(split, *tokenizer); }
  /// The split as ids. Mapped from a file if the task has one made by the same tokenizer; otherwise tokenized here,
  /// once.
  Examples examples(Split split) const;

  /// The groups of tokens that the task defines; null if it defines none. Refers to this object.
  std::shared_ptr<const TokenGroups> groups() const;

  std::unique_ptr<Task> task;
  std::unique_ptr<Tokenizer> tokenizer;
  std::string tokenizer_settings;  ///< the [tokenizer] table as TOML

 private:
  Examples make_examples(Split split) const;
  mutable std::mutex mutex_;
  mutable std::map<Split, Examples> examples_;
};

/// The position tracks of a run, with the groups of its task. Throws Error if an indexing uses groups that the task
/// does not define.
PositionTracks run_tracks(const RunSettings& settings, const std::shared_ptr<const RunData>& data);

/// Caches the data of the last settings, so that checking, training and evaluating a run make its splits only once.
class DataCache {
 public:
  std::shared_ptr<const RunData> get(const RunSettings& settings);  ///< throws Error

 private:
  std::mutex mutex_;
  std::string key_;
  std::shared_ptr<const RunData> last_;
};

}  // namespace rfs
