#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rfs/eval/generate_options.h"
#include "rfs/records/policies.h"
#include "rfs/records/run.h"
#include "rfs/run/events.h"

namespace rfs {

/// A generated text and its cost.
struct GeneratedText {
  std::string text;
  int64_t prompt_tokens = 0, tokens = 0;  ///< tokens: generated tokens
  int64_t passes = 0;                     ///< how often the whole text was run; of a batch, all its texts
  int64_t trained_length = 0;             ///< n_tr of the model
  double seconds = 0;
  bool stopped = false;
};

/// A trained run, loaded to generate text.
class Generation {
 public:
  /// Loads the only run at or below `folder`. Assignments (table.key=value) may change eval.*, positions.* and task.*.
  /// Throws Error.
  explicit Generation(const std::string& folder, const std::vector<std::string>& assignments = {});
  ~Generation();

  const Run& run() const;  ///< the loaded run

  /// Continues a prompt. `show` gets the whole text so far after each token. Generation ends if it returns false.
  GeneratedText generate(
      const GenerateOptions& options, const std::string& prompt, const RunContext& context = {},
      const std::function<bool(const std::string& text)>& show = [](const std::string&) { return true; }) const;

  /// Continues prompts at the same time, each as if it were alone; the first one has number `first` in its file.
  /// `progress` gets the number of finished texts after each step. Returns nothing if it was stopped.
  std::vector<GeneratedText> generate(const GenerateOptions& options, std::span<const std::string> prompts,
                                      uint64_t first, const RunContext& context,
                                      const std::function<void(int64_t)>& progress) const;

  /// What the texts depend on besides the prompts and the options, as text.
  std::string identity() const;

  /// Runs every n_in policy over the beginnings of `texts` test rows. Writes policies.json and the figures in policies/
  /// to the run's folder. If stopped, it returns nothing and writes nothing. Throws Error.
  std::optional<PolicyRecord> compare(const GenerateOptions& options, int64_t texts,
                                      const RunContext& context = {}) const;

 private:
  struct Loaded;
  struct Growing;
  std::unique_ptr<const Loaded> loaded_;
};

}  // namespace rfs
