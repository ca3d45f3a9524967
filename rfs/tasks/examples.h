#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "rfs/tasks/task.h"

namespace rfs {

/// Tokenized samples, stored one after another in their own memory or in a mapped file. Copies share the data.
class Examples {
 public:
  Examples();
  /// Refers to arrays that `owner` keeps alive: row i is tokens[offsets[i] .. offsets[i + 1]).
  Examples(std::shared_ptr<const void> owner, std::span<const int32_t> tokens, std::span<const int64_t> offsets,
           std::span<const int64_t> answers, std::span<const int64_t> lengths);
  /// Windows of a stream: row i is tokens[i * window .. (i + 1) * window]. Each token except the first is the label of
  /// exactly one row. An incomplete last window is dropped.
  Examples(std::shared_ptr<const void> owner, std::span<const int32_t> tokens, int64_t window);

  /// Number of rows.
  int64_t size() const { return window_ ? windows() : static_cast<int64_t>(answers_.size()); }
  std::span<const int32_t> row(int64_t i) const;  ///< the ids of a row
  /// Index in the row at which the answer (including its end of text) begins.
  int64_t answer(int64_t i) const { return window_ ? 1 : answers_[static_cast<size_t>(i)]; }
  /// The task's length, which is not a number of tokens.
  int64_t length(int64_t i) const { return window_ ? window_ : lengths_[static_cast<size_t>(i)]; }
  /// Number of tokens in the longest row.
  int64_t longest() const;
  /// n_tr: the length of the longest row, counted like n_in. For a task's row this is the prompt and the answer with
  /// its end. For a window it is the number of input tokens; the label after them is the next window's first token.
  int64_t trained_length() const { return window_ ? window_ : longest(); }

  /// Tokens between window starts. 0 if rows are not windows; then offsets, answers and lengths describe them.
  int64_t window() const { return window_; }
  std::span<const int32_t> tokens() const { return tokens_; }    ///< all rows
  std::span<const int64_t> offsets() const { return offsets_; }  ///< where each row begins, then the end
  std::span<const int64_t> answers() const { return answers_; }  ///< answer(i) of each row
  std::span<const int64_t> lengths() const { return lengths_; }  ///< length(i) of each row

  /// Adds a row. Not allowed for mapped examples.
  void add(std::span<const int32_t> row, int64_t answer, int64_t length);

 private:
  int64_t windows() const { return std::max<int64_t>(0, static_cast<int64_t>(tokens_.size()) - 1) / window_; }
  struct Arrays {
    std::vector<int32_t> tokens;
    std::vector<int64_t> offsets{0}, answers, lengths;
  };
  std::shared_ptr<Arrays> arrays_;  // null for mapped examples
  std::shared_ptr<const void> owner_;
  std::span<const int32_t> tokens_;
  std::span<const int64_t> offsets_, answers_, lengths_;
  int64_t window_ = 0;
};

/// Windows of a stream of `count` tokens, which `read` writes. If `folder` is not empty, they are kept in a file there,
/// for streams larger than memory. Throws Error if the folder has too little space.
std::shared_ptr<const Examples> windows_of(int64_t count, int64_t window, const std::filesystem::path& folder,
                                           const std::function<void(std::span<int32_t>)>& read);

/// Encodes prompt + answer as one text and adds the end of text. The answer begins at the first id that differs from
/// the ids of the prompt encoded on its own.
Examples tokenize(std::span<const Sample> samples, const Tokenizer& tokenizer);

}  // namespace rfs
