#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/suite/filler.h"
#include "rfs/suite/long_task.h"
#include "rfs/tasks/draws.h"

namespace rfs {
namespace {

/// Common words (after RULER; Hsieh et al. 2024): a shuffled list where ten words occur 30 times each and all others
/// three times. The references are the ten words.
class CommonWords : public LongTask {
 public:
  using Options = NoOptions;
  explicit CommonWords(const Options&) {}

  LongSample sample(Stream stream, int64_t filler, double /*depth*/) const override {
    const auto& plain = plain_words();
    const auto order = draw_distinct(stream, plain.size(), plain.size());
    const auto rare = static_cast<size_t>(filler), single = plain.size() - common;
    if (filler > static_cast<int64_t>(single) + compounds()) {
      throw Error(rfs::format("has only {} different words; choose a shorter length", plain.size() + compounds()));
    }
    std::vector<std::string> named, list;
    for (size_t i = 0; i < common; ++i) {
      named.push_back(plain[order[i]]);
      list.insert(list.end(), 30, named.back());
    }
    for (size_t i = 0; i < rare; ++i) {
      list.insert(list.end(), 3, i < single ? plain[order[common + i]] : compound(i - single));
    }
    std::vector<std::string> shuffled;
    for (const uint64_t place : draw_distinct(stream, list.size(), list.size())) shuffled.push_back(list[place]);
    return {"Here is a list of words. Some of them occur much more often than others. List: " + spaced(shuffled) +
                ". Which ten words occur most often in the list? The ten most common words are:",
            " " + joined(named, ", "), named};
  }

 private:
  static constexpr size_t common = 10;
};

const bool registered = Registry<LongTask>::add<CommonWords>("the ten most common words of a list (RULER)");

}  // namespace
}  // namespace rfs
