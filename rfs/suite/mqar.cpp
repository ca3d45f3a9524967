#include "rfs/core/format.h"
#include "rfs/suite/filler.h"
#include "rfs/suite/long_task.h"
#include "rfs/tasks/draws.h"

namespace rfs {
namespace {

/// Multi-query associative recall (after MQAR; Arora et al. 2023, zoology) as text: a list of pairs of a key and a
/// number, of which four are asked for at once. The references are the four numbers.
class Mqar : public LongTask {
 public:
  using Options = NoOptions;
  explicit Mqar(const Options&) {}
  int64_t max_filler() const override { return key_count() - static_cast<int64_t>(asked); }

  LongSample sample(Stream stream, int64_t filler, double /*depth*/) const override {
    const auto pairs = static_cast<uint64_t>(filler) + asked;
    const auto draw_number = [&] { return rfs::format("{}", 10'000 + stream.below(90'000)); };
    std::vector<std::string> parts, named, numbers, list;
    for (size_t i = 0; i < asked; ++i) numbers.push_back(draw_number());
    const auto order = draw_distinct(stream, static_cast<uint64_t>(key_count()), pairs);  // the asked keys come first
    for (size_t i = 0; i < pairs; ++i) {
      if (i < asked) named.push_back(key(order[i]));
      parts.push_back(rfs::format("{} = {};", key(order[i]), i < asked ? numbers[i] : draw_number()));
    }
    for (const uint64_t place : draw_distinct(stream, pairs, pairs)) list.push_back(parts[place]);
    const std::string question = named[0] + ", " + named[1] + ", " + named[2] + " and " + named[3];
    return {"Here is a list of keys and their numbers. Remember them. List: " + spaced(list) +
                rfs::format(" What are the numbers of {0}? In this order, the numbers of {0} are", question),
            " " + joined(numbers, ", "), numbers};
  }

 private:
  static constexpr size_t asked = 4;
};

const bool registered = Registry<LongTask>::add<Mqar>("the numbers of four keys in a list of pairs (MQAR)");

}  // namespace
}  // namespace rfs
