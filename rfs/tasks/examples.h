#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rfs/tasks/task.h"

namespace rfs {

/// Samples as ids, one after another: row i is tokens[offsets[i] .. offsets[i + 1]). Its answer, end of text
/// included, begins at answer[i] within the row.
struct Examples {
  std::vector<int32_t> tokens;
  std::vector<int64_t> offsets{0};
  std::vector<int64_t> answer;
  std::vector<int64_t> length;  ///< the task's length, not tokens

  int64_t size() const { return static_cast<int64_t>(answer.size()); }
  std::span<const int32_t> row(int64_t i) const;
  int64_t longest() const;  ///< tokens of the longest row
};

/// Encodes prompt + answer as one text and adds the end of text. The answer begins where the ids of prompt + answer
/// leave those of the prompt alone.
Examples tokenize(std::span<const Sample> samples, const Tokenizer& tokenizer);

}  // namespace rfs
