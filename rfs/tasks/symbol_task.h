#pragma once

#include <string>
#include <vector>

#include "rfs/tasks/generated.h"

namespace rfs {

/// Options of the tasks of Ruoss et al. 2023 (randomized positional encodings), which come from Delétang et al. 2023
/// (neural networks and the Chomsky hierarchy). Both train on lengths up to 40 and test on 41 to 500; every 27th of the
/// test lengths is tested by default. The length is the number of symbols given. `shortest` is the first trained
/// length.
struct SymbolTaskOptions : LengthOptions {
  explicit SymbolTaskOptions(int64_t shortest = 1)
      : LengthOptions(100, 100, {shortest, 40}, {41, 500}, "symbols", 27) {}
};

/// What these tasks share: `TITLE s1 ... sn [SEP] answer`, where symbols are words of a small alphabet.
class SymbolTask : public Task {
 public:
  using Symbols = std::vector<std::string>;  ///< one word each

  Vocabulary vocabulary() const override;
  std::vector<Sample> samples(Split split, const Tokenizer& tokenizer) const override;

 protected:
  /// A sample before it is written as text. The answer is not empty.
  struct Row {
    Symbols given, answer;
    int64_t depth = -1;  ///< that of Sample
  };

  /// `given` are the symbols of prompts; `answers` are those of answers alone. Throws Error if test lengths do not
  /// begin above the trained ones, or if trained lengths begin below `shortest`.
  SymbolTask(const LengthOptions& options, std::string title, Symbols given, Symbols answers = {},
             int64_t shortest = 1);

  /// A row of a length, or of the longest possible length below it.
  virtual Row draw(Stream& stream, int64_t length) const = 0;
  /// That of Bins, for a length: as many as strings of the given symbols, unless a task says otherwise. An estimate is
  /// enough, but it must not be far too high.
  virtual double different(int64_t length) const;

 private:
  LengthOptions options_;
  std::string title_;
  Symbols given_, answers_;
};

/// The symbols 0, 1, ..., count - 1.
SymbolTask::Symbols numerals(int64_t count);

/// The symbols PREFIX0, PREFIX1, ..., count of them.
SymbolTask::Symbols numbered(const std::string& prefix, int64_t count);

/// Parts in their order among blanks (`_`), `length` symbols in all: every way to spread them is equally likely. The
/// parts must not be longer than `length`.
SymbolTask::Symbols among_blanks(Stream& stream, const std::vector<SymbolTask::Symbols>& parts, int64_t length);

/// `length` symbols of `from`, independent and uniform.
SymbolTask::Symbols draw_symbols(Stream& stream, int64_t length, const SymbolTask::Symbols& from);

}  // namespace rfs
