#include <cmath>

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/tasks/draws.h"
#include "rfs/tasks/symbol_task.h"

namespace rfs {
namespace {

/// Variable tracking (after RULER; Hsieh et al. 2024): `Track: x3 = 7 _ x1 = 2 x5 = x3 _ _ ? 7 [SEP] x3 x5`. A chain
/// assigns a value to a variable and then copies it `hops` times to another variable. Several chains with different
/// values and variables are mixed at random among blanks. The answer is all variables with the given value, in order of
/// their assignments.
class VariableTracking : public SymbolTask {
 public:
  struct Options : LengthOptions {
    Options() : LengthOptions(20, 200, {32, 64}, {128, 1'024}, "symbols", 1, 2) {}
    Field<int64_t> chains{this, "chains", 2, "chains of assignments", between<int64_t>(1, 10)};
    Field<int64_t> hops{this, "hops", 2, "copies in a chain after its first assignment", between<int64_t>(0, 100)};
    Field<int64_t> variables{this, "variables", 16, "number of different variables", between<int64_t>(1, 10'000)};
  };
  explicit VariableTracking(const Options& options)
      : SymbolTask(options, "Track:", given(options), {}, 3 * assignments(options) + 2), options_(options) {
    if (assignments(options) > options.variables) {
      throw Error(rfs::format("task.variables: must be at least the {} assignments, got {}", assignments(options),
                              *options.variables));
    }
  }

 protected:
  Row draw(Stream& stream, int64_t length) const override {
    const auto count = static_cast<uint64_t>(assignments(options_));
    const auto chains = static_cast<uint64_t>(*options_.chains), links = count / chains;
    const auto names = draw_distinct(stream, static_cast<uint64_t>(*options_.variables), count);
    const auto values = draw_distinct(stream, 10, chains);
    const uint64_t asked = stream.below(chains);
    // A random order of the assignments; each one is the next of its chain.
    std::vector<Symbols> parts;
    std::vector<uint64_t> made(chains);
    Symbols answer;
    for (const uint64_t item : draw_distinct(stream, count, count)) {
      const uint64_t chain = item / links, link = made[chain]++;
      const auto name = [&](uint64_t number) { return rfs::format("x{}", names[chain * links + number]); };
      parts.push_back({name(link), "=", link == 0 ? rfs::format("{}", values[chain]) : name(link - 1)});
      if (chain == asked) answer.push_back(name(link));
    }
    Symbols given = among_blanks(stream, parts, length - 2);
    given.insert(given.end(), {"?", rfs::format("{}", values[asked])});
    return {given, answer};
  }
  double different(int64_t length) const override {
    const auto variables = static_cast<double>(*options_.variables);
    return static_cast<double>(length) * std::pow(variables / 2, static_cast<double>(assignments(options_)));
  }

 private:
  static int64_t assignments(const Options& options) { return options.chains * (options.hops + 1); }
  static Symbols given(const Options& options) {
    Symbols symbols = numbered("x", options.variables);
    const Symbols values = numerals(10);
    symbols.insert(symbols.end(), values.begin(), values.end());
    symbols.insert(symbols.end(), {"=", "_", "?"});
    return symbols;
  }

  Options options_;
};

const bool registered = Registry<Task>::add<VariableTracking>("name all variables that got a value (RULER)");

}  // namespace
}  // namespace rfs
