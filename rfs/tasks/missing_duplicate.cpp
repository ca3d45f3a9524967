#include <cmath>

#include "rfs/tasks/symbol_task.h"

namespace rfs {
namespace {

/// Ruoss et al.'s missing_duplicate_string, `Duplicate: 0 1 1 0 0 _ 1 0 [SEP] 1`: a string of zeros and ones stands
/// there twice, and one of its symbols is missing (`_`). The answer is the missing symbol. A row of odd length ends
/// with a dot.
class MissingDuplicate : public SymbolTask {
 public:
  struct Options : SymbolTaskOptions {
    Options() : SymbolTaskOptions(2) {}
  };
  explicit MissingDuplicate(const Options& options) : SymbolTask(options, "Duplicate:", {"0", "1", "_", "."}, {}, 2) {}

 protected:
  Row draw(Stream& stream, int64_t length) const override {
    const Symbols half = draw_symbols(stream, length / 2, numerals(2));
    Symbols given = half;
    given.insert(given.end(), half.begin(), half.end());
    std::string& missing = given[stream.below(given.size())];
    const std::string answer = missing;
    missing = "_";
    if (length % 2 == 1) given.emplace_back(".");
    return {given, {answer}};
  }
  double different(int64_t length) const override {
    return static_cast<double>(length) * std::pow(2.0, static_cast<double>(length / 2));
  }
};

const bool registered = Registry<Task>::add<MissingDuplicate>("find the missing symbol of a string given twice");

}  // namespace
}  // namespace rfs
