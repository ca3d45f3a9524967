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

/// Training data; data of trained lengths, disjoint from it if there are enough samples; data of untrained lengths.
enum class Split { train, validation, test };

/// One example. The text is prompt + answer, followed by the tokenizer's end of text.
struct Sample {
  std::string prompt;
  std::string answer;
  int64_t length = 0;  ///< the x axis of plots: number of words, items, digits or actions
  int64_t depth = -1;  ///< where in the prompt the answer stands: 0 (beginning) to 100 (end); -1: in no single place
};

/// Makes or loads examples. The same options give the same examples.
class Task {
 public:
  static constexpr std::string_view family = "task";
  virtual ~Task() = default;

  virtual Vocabulary vocabulary() const = 0;  ///< the words of its texts
  /// The samples of a split, always the same. Throws Error.
  virtual std::vector<Sample> samples(Split split, const Tokenizer& tokenizer) const = 0;

  /// True if a decoded answer is correct. `eval.match = text` uses this rule instead of comparing ids. Ignores white
  /// space at the ends.
  virtual bool right(const std::string& given, const std::string& expected) const;

  /// True for language-model data: plain text, evaluated by its loss, instead of prompts and answers.
  virtual bool language() const { return false; }
  /// For language-model data: the input length in tokens whose halves and doublings the test measures.
  virtual int64_t test_window() const { return 0; }
  /// Samples that are already tokenized; null for tasks whose samples are texts.
  virtual std::shared_ptr<const Examples> examples(Split, const Tokenizer&) const { return nullptr; }

  /// Identifies samples that come from a folder; "" if the settings determine the samples, or if there is no data.
  virtual std::string data_hash() const { return ""; }

  /// For each word of a row (prompt + answer) the significance of its digit: 1 for units, 2 for tens, ...; 0 for words
  /// that are not a digit. Empty for tasks without such digits. In a row whose answer is still to come, a digit stands
  /// for each missing word.
  virtual std::vector<int64_t> significance(std::string_view) const { return {}; }

  /// The file that may hold the tokenized samples (examples_file.h); "" for tasks without one.
  virtual std::filesystem::path examples_file(Split) const { return {}; }
};

/// The digits that follow `marker`, without spaces, up to the first other character; "" if there are none.
std::string digits_after(const std::string& text, const std::string& marker);

}  // namespace rfs
