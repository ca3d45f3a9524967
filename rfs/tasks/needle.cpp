#include <algorithm>
#include <cmath>

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/tasks/draws.h"
#include "rfs/tasks/symbol_task.h"

namespace rfs {
namespace {

/// A needle in a haystack: `Find: _ _ k3 v7 _ k1 v0 _ _ ? k1 [SEP] v0`. A few key-value pairs stand at random places
/// among blanks, and one key is asked for. All keys of a sample differ. The depth is the place of the asked pair: 0 at
/// the beginning, 100 right before the question.
class Needle : public SymbolTask {
 public:
  struct Options : LengthOptions {
    Options() : LengthOptions(20, 200, {16, 64}, {128, 1'024}, "symbols", 1, 2) {}
    Field<int64_t> pairs{this, "pairs", 4, "key-value pairs of a sample", between<int64_t>(1, 1'000)};
    Field<int64_t> keys{this, "keys", 16, "number of different keys", between<int64_t>(1, 10'000)};
    Field<int64_t> values{this, "values", 16, "number of different values", between<int64_t>(1, 10'000)};
  };
  explicit Needle(const Options& options)
      : SymbolTask(options, "Find:", given(options), numbered("v", options.values), 2 * options.pairs + 3),
        options_(options) {
    if (options.pairs > options.keys) {
      throw Error(
          rfs::format("task.pairs: must be at most the number of keys, {}, got {}", *options.keys, *options.pairs));
    }
  }

 protected:
  Row draw(Stream& stream, int64_t length) const override {
    const auto count = static_cast<uint64_t>(*options_.pairs);
    const auto keys = draw_distinct(stream, static_cast<uint64_t>(*options_.keys), count);
    std::vector<Symbols> pairs;
    for (const uint64_t key : keys) {
      const uint64_t value = stream.below(static_cast<uint64_t>(*options_.values));
      pairs.push_back({rfs::format("k{}", key), rfs::format("v{}", value)});
    }
    const Symbols asked = pairs[stream.below(count)];
    Symbols given = among_blanks(stream, pairs, length - 2);
    const auto place = std::find(given.begin(), given.end(), asked[0]) - given.begin();
    const auto last = static_cast<double>(given.size() - 2);
    given.insert(given.end(), {"?", asked[0]});
    return {given, {asked[1]}, std::lround(100 * static_cast<double>(place) / last)};
  }
  double different(int64_t length) const override {
    const auto pairs = static_cast<double>(*options_.pairs);
    return static_cast<double>(length) * std::pow(static_cast<double>(*options_.values), pairs);
  }

 private:
  static Symbols given(const Options& options) {
    Symbols symbols = numbered("k", options.keys);
    symbols.insert(symbols.end(), {"_", "?"});
    return symbols;
  }

  Options options_;
};

const bool registered = Registry<Task>::add<Needle>("find the value of a key among blanks (needle in a haystack)");

}  // namespace
}  // namespace rfs
