#include <algorithm>
#include <cmath>

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/tasks/draws.h"
#include "rfs/tasks/symbol_task.h"

namespace rfs {
namespace {

/// Frequent words (after RULER; Hsieh et al. 2024): `Frequent: w2 w9 w2 w2 w5 w9 ... [SEP] w2 w9 w5`. Words are drawn
/// from a zeta law: the word of rank r has a probability proportional to r^-power. Each sample deals the ranks to the
/// words anew. The answer is the most frequent words, most frequent first. Samples where they are tied are drawn again.
class FrequentWords : public SymbolTask {
 public:
  struct Options : LengthOptions {
    Options() : LengthOptions(20, 200, {32, 64}, {128, 1'024}, "symbols", 1, 2) {}
    Field<int64_t> words{this, "words", 16, "number of different words", between<int64_t>(2, 1'000)};
    Field<int64_t> frequent{this, "frequent", 3, "number of words to name", between<int64_t>(1, 10)};
    Field<double> power{this, "power", 2.0, "exponent of the zeta law", between<double>(1.5, 10.0)};
  };
  explicit FrequentWords(const Options& options)
      : SymbolTask(options, "Frequent:", numbered("w", options.words)), options_(options) {
    if (options.frequent >= options.words) {
      throw Error(rfs::format("task.frequent: must be below the number of words, {}, got {}", *options.words,
                              *options.frequent));
    }
    double sum = 0;
    for (int64_t rank = 1; rank <= options.words; ++rank) {
      sums_.push_back(sum += std::pow(static_cast<double>(rank), -options.power));
    }
  }

 protected:
  Row draw(Stream& stream, int64_t length) const override {
    const auto words = draw_distinct(stream, sums_.size(), sums_.size());
    const auto named = static_cast<size_t>(*options_.frequent);
    for (int attempt = 0; attempt < 10'000; ++attempt) {
      Row row;
      std::vector<int64_t> counts(words.size());
      for (int64_t i = 0; i < length; ++i) {
        const auto rank = static_cast<size_t>(
            std::upper_bound(sums_.begin(), sums_.end() - 1, stream.uniform() * sums_.back()) - sums_.begin());
        ++counts[words[rank]];
        row.given.push_back(rfs::format("w{}", words[rank]));
      }
      std::vector<uint64_t> order = words;
      std::stable_sort(order.begin(), order.end(), [&](uint64_t a, uint64_t b) { return counts[a] > counts[b]; });
      bool tied = false;
      for (size_t i = 0; i < named; ++i) tied = tied || counts[order[i]] == counts[order[i + 1]];
      if (tied) continue;
      for (size_t i = 0; i < named; ++i) row.answer.push_back(rfs::format("w{}", order[i]));
      return row;
    }
    throw Error(
        rfs::format("task.frequent: the {} most frequent of {} symbols are nearly always tied; name fewer words, "
                    "or choose longer lengths",
                    named, length));
  }

  double different(int64_t length) const override {
    // Lists are not equally likely. The most likely one repeats one word: as many lists as its probability allows.
    const double first = 1 / sums_.back();
    return static_cast<double>(sums_.size()) * std::pow(first, -static_cast<double>(length));
  }

 private:
  Options options_;
  std::vector<double> sums_;  ///< of the ranks' weights
};

const bool registered = Registry<Task>::add<FrequentWords>("name the most frequent words, in order (RULER)");

}  // namespace
}  // namespace rfs
