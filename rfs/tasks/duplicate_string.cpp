#include "rfs/tasks/symbol_task.h"

namespace rfs {
namespace {

/// Ruoss et al.'s duplicate_string, `Twice: 1 0 1 [SEP] 1 0 1 1 0 1`: the string, two times.
class DuplicateString : public SymbolTask {
 public:
  struct Options : SymbolTaskOptions {
    Field<int64_t> symbols{this, "symbols", 2, "size of the alphabet", between<int64_t>(2, 10'000)};
  };
  explicit DuplicateString(const Options& options)
      : SymbolTask(options, "Twice:", numerals(options.symbols)), alphabet_(numerals(options.symbols)) {}

 protected:
  Row draw(Stream& stream, int64_t length) const override {
    const Symbols given = draw_symbols(stream, length, alphabet_);
    Symbols twice = given;
    twice.insert(twice.end(), given.begin(), given.end());
    return {given, twice};
  }

 private:
  Symbols alphabet_;
};

const bool registered = Registry<Task>::add<DuplicateString>("repeat n symbols twice");

}  // namespace
}  // namespace rfs
