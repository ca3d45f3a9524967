#pragma once

#include <string>

#include "rfs/tasks/generated.h"

namespace rfs {

/// The common part of copy, copy2 and reverse: n words from a list, `TITLE w1 ... wn [SEP] answer`.
struct WordTaskOptions : LengthOptions {
  explicit WordTaskOptions(int64_t word_count)
      : LengthOptions(500, 500, {2, 20}, {21, 40}, "words"),
        words{this, "words", word_count, "size of the word list", between<int64_t>(2, 1'000'000)} {}

  Field<int64_t> words;
};

/// A task on a list of words; a derived class says what the answer is.
class WordTask : public Task {
 public:
  WordTask(const WordTaskOptions& options, std::string title);

  Vocabulary vocabulary() const override;
  std::vector<Sample> samples(Split split, const Tokenizer& tokenizer) const override;

 protected:
  using Words = std::vector<std::string>;  ///< in the order of the text
  /// Draws n words from the list; by default independent and uniform.
  virtual Words draw(Stream& stream, int64_t length, const Words& list) const;
  /// The number of different samples of a length.
  virtual double different(int64_t length) const;
  /// The words of the expected answer, in order.
  virtual Words answer(Words words) const = 0;

  WordTaskOptions options_;

 private:
  std::string title_;
};

}  // namespace rfs
