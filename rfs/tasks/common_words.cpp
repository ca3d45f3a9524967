#include <algorithm>
#include <cmath>

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/tasks/draws.h"
#include "rfs/tasks/symbol_task.h"

namespace rfs {
namespace {

/// Common words (after RULER; Hsieh et al. 2024): `Common: w4 w1 w4 w7 w1 w4 ... [SEP] w1 w4`. In a shuffled list of
/// words, a few words occur `ratio` times as often as the others, as exactly as the length allows. The answer is these
/// words, in order of their numbers.
class CommonWords : public SymbolTask {
 public:
  struct Options : LengthOptions {
    Options() : LengthOptions(20, 200, {32, 64}, {128, 1'024}, "symbols", 1, 2) {}
    Field<int64_t> words{this, "words", 16, "number of different words", between<int64_t>(2, 1'000)};
    Field<int64_t> common{this, "common", 2, "number of common words", between<int64_t>(1, 100)};
    Field<double> ratio{this, "ratio", 10.0, "occurrences of a common word per occurrence of another word",
                        between<double>(2.0, 1e6)};
  };
  explicit CommonWords(const Options& options)
      : SymbolTask(options, "Common:", numbered("w", options.words)), options_(options) {
    if (options.common >= options.words) {
      throw Error(
          rfs::format("task.common: must be below the number of words, {}, got {}", *options.words, *options.common));
    }
    for (const Split split : {Split::train, Split::test}) {
      for (const int64_t length : options.lengths(split)) require_clear_answer(length);
    }
  }

 protected:
  Row draw(Stream& stream, int64_t length) const override {
    const auto words =
        draw_distinct(stream, static_cast<uint64_t>(*options_.words), static_cast<uint64_t>(*options_.words));
    const auto common = static_cast<size_t>(*options_.common), others = words.size() - common;
    std::vector<uint64_t> list;
    for (size_t i = 0; i < common; ++i) list.insert(list.end(), static_cast<size_t>(each(length)), words[i]);
    for (size_t i = 0; list.size() < static_cast<size_t>(length); ++i) list.push_back(words[common + i % others]);
    Row row;
    for (const uint64_t place : draw_distinct(stream, list.size(), list.size())) {
      row.given.push_back(rfs::format("w{}", list[place]));
    }
    std::vector<uint64_t> answer(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(common));
    std::sort(answer.begin(), answer.end());
    for (const uint64_t word : answer) row.answer.push_back(rfs::format("w{}", word));
    return row;
  }

  double different(int64_t length) const override {
    // The choice of the common words, that of the others with one occurrence more, and the order of the list. The
    // logarithms of factorials.
    const auto factorial = [](int64_t n) { return std::lgamma(static_cast<double>(n) + 1); };
    const int64_t others = options_.words - options_.common, rest = length - options_.common * each(length);
    const int64_t least = rest / others, more = rest % others;
    return std::exp(
        factorial(options_.words) - factorial(options_.common) - factorial(more) - factorial(others - more) +
        factorial(length) - static_cast<double>(options_.common) * factorial(each(length)) -
        static_cast<double>(more) * factorial(least + 1) - static_cast<double>(others - more) * factorial(least));
  }

 private:
  void require_clear_answer(int64_t length) const {
    if (each(length) > most_of_others(length)) return;
    throw Error(
        rfs::format("task.ratio: must make common words occur more often than others at every length, got {:g}, with "
                    "{} and {} occurrences at length {}; raise it, or choose other lengths",
                    *options_.ratio, each(length), most_of_others(length), length));
  }
  /// Occurrences of each common word, and the most that another word can have.
  int64_t each(int64_t length) const {
    const auto common = static_cast<double>(*options_.common), all = static_cast<double>(*options_.words);
    const double units = common * options_.ratio + all - common;
    return static_cast<int64_t>(static_cast<double>(length) * options_.ratio / units);
  }
  int64_t most_of_others(int64_t length) const {
    const int64_t others = options_.words - options_.common;
    return (length - options_.common * each(length) + others - 1) / others;
  }

  Options options_;
};

const bool registered = Registry<Task>::add<CommonWords>("name the most common words (RULER)");

}  // namespace
}  // namespace rfs
