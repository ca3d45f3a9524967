#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "rfs/core/options.h"
#include "rfs/core/registry.h"
#include "rfs/text/tokenizer.h"

namespace rfs {

class Examples;

/// Training data; data of trained lengths, apart from it where there is room; data of untrained lengths.
enum class Split { train, validation, test };

/// One example. The text is prompt + answer, which ends with the tokenizer's end of text.
struct Sample {
  std::string prompt;
  std::string answer;
  int64_t length = 0;  ///< the x axis of every plot: words, items, digits or actions
};

/// Makes or loads examples. The same options give the same examples.
class Task {
 public:
  static constexpr std::string_view family = "task";
  virtual ~Task() = default;

  virtual Vocabulary vocabulary() const = 0;
  virtual std::vector<Sample> samples(Split split, const Tokenizer& tokenizer) const = 0;

  /// Whether a decoded answer is right, where `eval.match = text` asks for the task's own rule instead of equal ids.
  /// White space at the ends does not count.
  virtual bool right(const std::string& given, const std::string& expected) const;

  /// Whether it is text to go on with, measured by its loss, instead of prompts and answers.
  virtual bool language() const { return false; }
  /// Samples that are ids from the start; null for tasks whose samples are texts.
  virtual std::shared_ptr<const Examples> examples(Split, const Tokenizer&) const { return nullptr; }

  /// Tells apart samples that come from a folder; "" where the settings say it all, or nothing is there.
  virtual std::string data_hash() const { return ""; }

  /// For each word of a row (prompt + answer) the significance of its digit: 1 for units, 2 for tens, ...; 0 for words
  /// that are not a digit. Empty for tasks whose rows are no arithmetic of this kind.
  virtual std::vector<int64_t> significance(std::string_view) const { return {}; }

  /// Where the samples' ids may lie ready (examples_file.h); "" for tasks that have no such place.
  virtual std::filesystem::path examples_file(Split) const { return {}; }
};

/// The digits that follow `marker`, spaces between them left out, up to the first other character; "" where there are
/// none.
std::string digits_after(const std::string& text, const std::string& marker);

}  // namespace rfs
