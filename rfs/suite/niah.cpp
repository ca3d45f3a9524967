#include <cmath>

#include "rfs/core/format.h"
#include "rfs/suite/filler.h"
#include "rfs/suite/long_task.h"
#include "rfs/tasks/draws.h"

namespace rfs {
namespace {

/// A needle in a haystack of needles (RULER's multikey; Hsieh et al. 2024): all sentences give a number of seven digits
/// for a different key, and one key is asked for.
class Niah : public LongTask {
 public:
  using Options = NoOptions;
  explicit Niah(const Options&) {}
  bool has_depth() const override { return true; }
  int64_t max_filler() const override { return key_count() - 1; }

  LongSample sample(Stream stream, int64_t filler, double depth) const override {
    const auto value = [&] { return rfs::format("{}", 1'000'000 + stream.below(9'000'000)); };
    const auto needle = [](const std::string& name, const std::string& number) {
      return rfs::format("One of the special magic numbers for {} is: {}.", name, number);
    };
    const std::string answer = value();
    // The asked key, then the others.
    const auto order = draw_distinct(stream, static_cast<uint64_t>(key_count()), static_cast<uint64_t>(filler) + 1);
    const std::string asked = key(order[0]);
    std::vector<std::string> sentences;
    for (size_t i = 1; i <= static_cast<size_t>(filler); ++i) sentences.push_back(needle(key(order[i]), value()));
    sentences.insert(sentences.begin() + std::lround(depth * static_cast<double>(filler)), needle(asked, answer));
    return {"Special magic numbers are hidden in this text. Remember them. " + spaced(sentences) +
                rfs::format(" What is the special magic number for {0}? The special magic number for {0} is", asked),
            " " + answer,
            {answer}};
  }
};

const bool registered = Registry<LongTask>::add<Niah>("the number of a key, among numbers of other keys (RULER)");

}  // namespace
}  // namespace rfs
