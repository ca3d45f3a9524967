#include "rfs/tasks/word_task.h"

namespace rfs {
namespace {

/// `Copy: w ... w [SEP] w ... w`: one word, n times (split rsc_tr20_ts40, 6,052 different words).
class Copy2 : public WordTask {
 public:
  struct Options : WordTaskOptions {
    Options() : WordTaskOptions(6'052) {}
  };
  explicit Copy2(const Options& options) : WordTask(options, "Copy:") {}

 protected:
  Words draw(Stream& stream, int64_t length, const Words& list) const override {
    return Words(static_cast<size_t>(length), list[stream.below(list.size())]);
  }
  Words answer(Words words) const override { return words; }
  double different(int64_t) const override { return static_cast<double>(*options_.words); }
};

const bool registered = Registry<Task>::add<Copy2>("repeat one word n times");

}  // namespace
}  // namespace rfs
