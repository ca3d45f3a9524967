#include "rfs/tasks/symbol_task.h"

namespace rfs {
namespace {

/// Ruoss et al.'s cycle_navigation, `Walk: right stay left left [SEP] 4`: the place on a cycle after all steps, counted
/// from 0, where the walk begins.
class CycleNavigation : public SymbolTask {
 public:
  struct Options : SymbolTaskOptions {
    Field<int64_t> places{this, "places", 5, "places on the cycle", between<int64_t>(2, 1'000)};
  };
  explicit CycleNavigation(const Options& options)
      : SymbolTask(options, "Walk:", {"left", "stay", "right"}, numerals(options.places)), places_(options.places) {}

 protected:
  Row draw(Stream& stream, int64_t length) const override {
    const Symbols steps = draw_symbols(stream, length, {"left", "stay", "right"});
    int64_t place = 0;
    for (const auto& step : steps) place += step == "right" ? 1 : step == "left" ? places_ - 1 : 0;
    return {steps, {std::to_string(place % places_)}};
  }

 private:
  int64_t places_;
};

const bool registered = Registry<Task>::add<CycleNavigation>("find the last place of a walk on a cycle");

}  // namespace
}  // namespace rfs
