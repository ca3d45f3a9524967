#include "rfs/suite/fit.h"

#include <algorithm>

#include "rfs/core/error.h"
#include "rfs/core/format.h"

namespace rfs {
namespace {

LongRow make_row(const LongTask& task, const Tokenizer& tokenizer, const Stream& stream, double depth, int64_t filler) {
  LongRow row{task.sample(stream, filler, depth), {}, 0, filler};
  row.prompt = tokenizer.encode(row.sample.prompt);
  row.budget = static_cast<int64_t>(tokenizer.encode(row.sample.answer).size()) + 16;
  return row;
}

int64_t size(const LongRow& row) {
  return static_cast<int64_t>(row.prompt.size()) + row.budget;
}

}  // namespace

int64_t shortest_length(const LongTask& task, const Tokenizer& tokenizer, const Stream& stream, double depth) {
  return size(make_row(task, tokenizer, stream, depth, 0));
}

LongRow fit_sample(const LongTask& task, const Tokenizer& tokenizer, const Stream& stream, double depth,
                   int64_t length) {
  const auto row = [&](int64_t filler) { return make_row(task, tokenizer, stream, depth, filler); };
  LongRow best = row(0);
  if (size(best) > length) {
    throw Error(rfs::format("needs at least {} tokens with this tokenizer; choose a longer length", size(best)));
  }
  // Texts grow nearly linearly with their filler, so interpolation between a text that fits and one that does not
  // finds the limit in a few steps.
  int64_t too_much = 0, too_much_size = 0, unit = 8;
  for (int step = 1; too_much == 0 || best.filler + 1 < too_much; ++step) {
    const int64_t left = length - size(best);
    if (best.filler == task.max_filler()) {
      if (left == 0) break;
      throw Error(
          rfs::format("has text for at most {} tokens with this tokenizer; choose a shorter length", size(best)));
    }
    int64_t next = std::min(best.filler + left / unit + 1, task.max_filler());
    if (too_much > 0) {
      const int64_t room = too_much - best.filler;
      const int64_t share = step % 4 == 0 ? room / 2 : left * room / std::max<int64_t>(1, too_much_size - size(best));
      next = std::clamp(best.filler + share, best.filler + 1, too_much - 1);
    }
    LongRow tried = row(next);
    if (size(tried) > length) {
      too_much = next, too_much_size = size(tried);
    } else {
      if (next > best.filler) unit = std::max<int64_t>(1, (size(tried) - size(best)) / (next - best.filler));
      best = std::move(tried);
    }
  }
  return best;
}

void require_text(const Tokenizer& tokenizer, const std::string& use) {
  const std::string text = "The pass key is 12345. Which variables have the value of QXZJK? List: a-b, c:";
  std::string again;
  try {
    again = tokenizer.decode(tokenizer.encode(text));
  } catch (const Error&) {  // it only reads the ids of a data file
  }
  if (again.find(text) == std::string::npos) {
    throw Error(rfs::format("scoring needs a tokenizer of English text (gpt2, t5, hf or bytes), got {}", use));
  }
}

}  // namespace rfs
