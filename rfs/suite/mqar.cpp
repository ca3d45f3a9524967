#include "rfs/core/error.h"
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

  LongSample sample(Stream stream, int64_t filler, double /*depth*/) const override {
    const auto pairs = static_cast<uint64_t>(filler) + asked;
    const auto keys = static_cast<uint64_t>(compounds());
    if (pairs > keys) throw Error(rfs::format("has only {} keys; choose a shorter length", keys));
    const auto order = draw_distinct(stream, keys, keys);  // the asked keys, then the others
    std::vector<std::string> parts, named, numbers, list;
    for (size_t i = 0; i < pairs; ++i) {
      const std::string key = compound(order[i]), number = rfs::format("{}", 10'000 + stream.below(90'000));
      parts.push_back(rfs::format("{} = {};", key, number));
      if (i < asked) named.push_back(key), numbers.push_back(number);
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
