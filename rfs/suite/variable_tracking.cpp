#include <algorithm>

#include "rfs/core/format.h"
#include "rfs/suite/filler.h"
#include "rfs/suite/long_task.h"
#include "rfs/tasks/draws.h"

namespace rfs {
namespace {

/// Variable tracking (after RULER; Hsieh et al. 2024): a variable gets a number, and four more variables get it from
/// the one before them. The five sentences stand in their order at random places among filler sentences. The references
/// are all five variables.
class VariableTracking : public LongTask {
 public:
  using Options = NoOptions;
  explicit VariableTracking(const Options&) {}

  LongSample sample(Stream stream, int64_t filler, double /*depth*/) const override {
    const auto number = 10'000 + stream.below(90'000);
    std::vector<std::string> names, parts;
    while (names.size() < 1 + hops) {
      std::string name;
      for (int i = 0; i < 5; ++i) name += static_cast<char>('A' + stream.below(26));
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    std::vector<double> places;
    for (size_t i = 0; i < names.size(); ++i) {
      parts.push_back(i == 0 ? rfs::format("The variable {} is set to {}.", names[0], number)
                             : rfs::format("The variable {} is set to the value of {}.", names[i], names[i - 1]));
      places.push_back(stream.uniform());
    }
    std::sort(places.begin(), places.end());
    auto sentences = filler_sentences(stream, filler);
    for (size_t i = names.size(); i-- > 0;) {  // the last one first, so that earlier places stay valid
      sentences.insert(sentences.begin() + static_cast<std::ptrdiff_t>(places[i] * static_cast<double>(filler + 1)),
                       parts[i]);
    }
    return {"Variables are set somewhere in this text. Keep track of their values. " + spaced(sentences) +
                rfs::format(" Which variables have the value {0}? The five variables with the value {0} are", number),
            " " + spaced(names), names};
  }

 private:
  static constexpr size_t hops = 4;
};

const bool registered = Registry<LongTask>::add<VariableTracking>("all variables that got a number (RULER)");

}  // namespace
}  // namespace rfs
