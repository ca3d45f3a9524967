#include <algorithm>
#include <cmath>

#include "rfs/core/format.h"
#include "rfs/suite/filler.h"
#include "rfs/suite/long_task.h"
#include "rfs/tasks/draws.h"

namespace rfs {
namespace {

/// Frequent words (after RULER; Hsieh et al. 2024): a shuffled text of coded words of six letters, whose counts follow
/// a zeta law: the word of rank r occurs in proportion to 1 / r^2. The references are the three most frequent ones.
class FrequentWords : public LongTask {
 public:
  using Options = NoOptions;
  explicit FrequentWords(const Options&) {}

  LongSample sample(Stream stream, int64_t filler, double /*depth*/) const override {
    const auto total = static_cast<size_t>(fewest + filler);
    std::vector<std::string> words, text;
    const auto add_word = [&] {
      std::string word;
      do {
        word.clear();
        for (int i = 0; i < 6; ++i) word += static_cast<char>('a' + stream.below(26));
      } while (std::find(words.begin(), words.end(), word) != words.end());
      words.push_back(word);
    };
    constexpr double zeta_of_2 = 1.6449340668482264;  // pi^2 / 6
    for (size_t rank = 1; text.size() < total; ++rank) {
      const double share = 1 / (zeta_of_2 * static_cast<double>(rank * rank));
      const auto count = std::max<size_t>(1, static_cast<size_t>(std::lround(share * static_cast<double>(total))));
      add_word();
      text.insert(text.end(), std::min(count, total - text.size()), words.back());
    }
    std::vector<std::string> shuffled;
    for (const uint64_t place : draw_distinct(stream, text.size(), text.size())) shuffled.push_back(text[place]);
    const std::vector<std::string> named(words.begin(), words.begin() + 3);
    return {"This text consists of coded words. Count how often each of them occurs. Text: " + spaced(shuffled) +
                ". Which three coded words occur most often in the text? The three most frequent coded words are:",
            " " + joined(named, ", "), named};
  }

 private:
  static constexpr int64_t fewest = 40;  ///< words of a text; with fewer, ranks may be tied
};

const bool registered = Registry<LongTask>::add<FrequentWords>("the three most frequent coded words (RULER)");

}  // namespace
}  // namespace rfs
