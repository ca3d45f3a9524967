#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "rfs/core/options.h"
#include "rfs/core/random.h"
#include "rfs/core/registry.h"

namespace rfs {

/// One question about a long text.
struct LongSample {
  std::string prompt;
  std::string answer;                   ///< the right answer as it would follow the prompt, with the space before it
  std::vector<std::string> references;  ///< what an answer must contain
};

/// A task of the long-context suite in text. Its texts can have any length, because they are filled up.
class LongTask {
 public:
  static constexpr std::string_view family = "long_task";
  virtual ~LongTask() = default;

  /// True if one sentence holds the answer, so that its depth can be chosen.
  virtual bool has_depth() const { return false; }

  /// The most units of filler that a sample can have.
  virtual int64_t max_filler() const { return std::numeric_limits<int64_t>::max(); }

  /// A sample with `filler` units of filler (sentences or words), at most max_filler(). `depth` from 0 to 1 is the
  /// share of the filler before the sentence with the answer, if there is one. The same stream gives the same question
  /// for every amount of filler.
  virtual LongSample sample(Stream stream, int64_t filler, double depth) const = 0;

  /// The score of an answer, from 0 to 1: by default RULER's, the share of references that it contains, in any case.
  virtual double score(const std::string& given, const std::vector<std::string>& references) const;
};

}  // namespace rfs
