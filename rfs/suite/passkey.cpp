#include <algorithm>
#include <cmath>

#include "rfs/core/format.h"
#include "rfs/suite/filler.h"
#include "rfs/suite/long_task.h"

namespace rfs {
namespace {

/// A pass key from 1 to 50,000 among filler sentences, as YaRN (Peng et al. 2023) evaluates it. An answer is right if
/// its first integer is the key. Good models soon find every key.
class Passkey : public LongTask {
 public:
  using Options = NoOptions;
  explicit Passkey(const Options&) {}
  bool has_depth() const override { return true; }

  LongSample sample(Stream stream, int64_t filler, double depth) const override {
    const std::string key = rfs::format("{}", 1 + stream.below(50'000));
    auto sentences = filler_sentences(stream, filler);
    sentences.insert(sentences.begin() + std::lround(depth * static_cast<double>(filler)),
                     rfs::format("The pass key is {0}. Remember it. {0} is the pass key.", key));
    return {"A pass key is hidden in this text. Find it and remember it. " + spaced(sentences) +
                " What is the pass key? The pass key is",
            " " + key,
            {key}};
  }

  double score(const std::string& given, const std::vector<std::string>& references) const override {
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    const auto begin = std::find_if(given.begin(), given.end(), digit);
    return std::string(begin, std::find_if_not(begin, given.end(), digit)) == references.front() ? 1 : 0;
  }
};

const bool registered = Registry<LongTask>::add<Passkey>("a number in a text of filler sentences");

}  // namespace
}  // namespace rfs
