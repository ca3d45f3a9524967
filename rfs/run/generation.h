#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rfs/eval/generate_options.h"
#include "rfs/records/policies.h"
#include "rfs/records/run.h"
#include "rfs/run/events.h"

namespace rfs {

/// What generating a text took.
struct GeneratedText {
  std::string text;
  int64_t prompt_tokens = 0, tokens = 0;  ///< tokens: generated ones
  int64_t passes = 0;                     ///< how often the whole text was run
  int64_t trained_length = 0;             ///< n_tr of the model
  double seconds = 0;
  bool stopped = false;
};

/// A trained run, loaded to generate text.
class Generation {
 public:
  /// The only run at or below `folder`. Assignments (table.key=value) may change eval.*, positions.* and task.*. Throws
  /// Error.
  explicit Generation(const std::string& folder, const std::vector<std::string>& assignments = {});
  ~Generation();

  const Run& run() const;

  /// Continues a prompt. `show` gets all the text so far after each token; where it returns false, generation ends.
  GeneratedText generate(
      const GenerateOptions& options, const std::string& prompt, const RunContext& context = {},
      const std::function<bool(const std::string& text)>& show = [](const std::string&) { return true; }) const;

  /// Runs every policy of n_in over the beginnings of `texts` test rows; writes policies.json and the figures in
  /// policies/ into the run's folder. Nothing when it was stopped; then nothing is written. Throws Error.
  std::optional<PolicyRecord> compare(const GenerateOptions& options, int64_t texts,
                                      const RunContext& context = {}) const;

 private:
  struct Loaded;
  std::unique_ptr<const Loaded> loaded_;
};

}  // namespace rfs
