#include "rfs/tasks/symbol_task.h"

namespace rfs {
namespace {

/// Ruoss et al.'s odds_first, `Odds: 0 0 1 1 0 1 [SEP] 0 1 0 0 1 1`: first the symbols at places 1, 3, 5, ..., then
/// those at 2, 4, 6, ... The authors' code takes the even places first; this is the order that their text describes.
class OddsFirst : public SymbolTask {
 public:
  struct Options : SymbolTaskOptions {
    Field<int64_t> symbols{this, "symbols", 2, "size of the alphabet", between<int64_t>(2, 10'000)};
  };
  explicit OddsFirst(const Options& options)
      : SymbolTask(options, "Odds:", numerals(options.symbols)), alphabet_(numerals(options.symbols)) {}

 protected:
  Row draw(Stream& stream, int64_t length) const override {
    Row row{draw_symbols(stream, length, alphabet_), {}};
    for (size_t i = 0; i < row.given.size(); i += 2) row.answer.push_back(row.given[i]);
    for (size_t i = 1; i < row.given.size(); i += 2) row.answer.push_back(row.given[i]);
    return row;
  }

 private:
  Symbols alphabet_;
};

const bool registered = Registry<Task>::add<OddsFirst>("repeat the symbols at odd places, then those at even ones");

}  // namespace
}  // namespace rfs
