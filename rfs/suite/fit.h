#pragma once

#include <vector>

#include "rfs/suite/long_task.h"
#include "rfs/text/tokenizer.h"

namespace rfs {

/// A sample that fits a length in tokens: its prompt as ids, and how many tokens a model may answer with.
struct LongRow {
  LongSample sample;
  std::vector<int32_t> prompt;
  int64_t budget = 0;  ///< the tokens of the right answer and 16 more
  int64_t filler = 0;
};

/// The sample with as much filler as fits: prompt and budget have at most `length` tokens, and one more unit of filler
/// would not fit. Throws Error if even a sample without filler is too long, or one with all filler too short.
LongRow fit_sample(const LongTask& task, const Tokenizer& tokenizer, const Stream& stream, double depth,
                   int64_t length);

/// The tokens of the sample without filler: the shortest length that it fits.
int64_t shortest_length(const LongTask& task, const Tokenizer& tokenizer, const Stream& stream, double depth);

/// Throws Error if the tokenizer does not give back English text, because it only knows the words of a task.
void require_text(const Tokenizer& tokenizer, const std::string& use);

}  // namespace rfs
