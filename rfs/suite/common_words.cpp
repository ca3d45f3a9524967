#include "rfs/core/format.h"
#include "rfs/suite/filler.h"
#include "rfs/suite/long_task.h"
#include "rfs/tasks/draws.h"

namespace rfs {
namespace {

/// Common words (after RULER; Hsieh et al. 2024): a shuffled list where ten words occur 30 times each and all others
/// three times. The references are the ten words. All words are invented and have five letters, so that the task is the
/// same at every length: no word is rare in one text and a part of many words in a longer one.
class CommonWords : public LongTask {
 public:
  using Options = NoOptions;
  explicit CommonWords(const Options&) {}
  int64_t max_filler() const override { return invented_count() - static_cast<int64_t>(common); }

  LongSample sample(Stream stream, int64_t filler, double /*depth*/) const override {
    std::vector<std::string> named, list;
    for (const uint64_t number :
         draw_distinct(stream, static_cast<uint64_t>(invented_count()), common + static_cast<uint64_t>(filler))) {
      const bool is_common = named.size() < common;
      if (is_common) named.push_back(invented(number));
      list.insert(list.end(), is_common ? 30 : 3, invented(number));
    }
    std::vector<std::string> shuffled;
    for (const uint64_t place : draw_distinct(stream, list.size(), list.size())) shuffled.push_back(list[place]);
    return {"Here is a list of words. Some of them occur much more often than others. List: " + spaced(shuffled) +
                ". Which ten words occur most often in the list? The ten most common words are:",
            " " + joined(named, ", "), named};
  }

 private:
  static constexpr uint64_t common = 10;
};

const bool registered = Registry<LongTask>::add<CommonWords>("the ten most common words of a list (RULER)");

}  // namespace
}  // namespace rfs
