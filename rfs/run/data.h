#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rfs/run/settings.h"
#include "rfs/tasks/examples.h"

namespace rfs {

/// A run's task and tokenizer, which has been told what the task's texts are made of.
struct RunData {
  explicit RunData(const RunSettings& settings);

  std::vector<Sample> samples(Split split) const { return task->samples(split, *tokenizer); }
  /// The split as ids: mapped from a file where the task has one made by the same tokenizer, else made here.
  Examples examples(Split split) const;

  std::unique_ptr<Task> task;
  std::unique_ptr<Tokenizer> tokenizer;
  std::string tokenizer_settings;  ///< the [tokenizer] table as TOML
};

}  // namespace rfs
