#include <algorithm>

#include "rfs/tasks/word_task.h"

namespace rfs {
namespace {

/// `Reverse: w1 ... wn [SEP] wn ... w1`: n words, independent and uniform from a list (split mc_tr20_ts40).
class Reverse : public WordTask {
 public:
  struct Options : WordTaskOptions {
    Options() : WordTaskOptions(100) {}
  };
  explicit Reverse(const Options& options) : WordTask(options, "Reverse:") {}

 protected:
  Words answer(Words words) const override {
    std::reverse(words.begin(), words.end());
    return words;
  }
};

const bool registered = Registry<Task>::add<Reverse>("repeat n random words from last to first");

}  // namespace
}  // namespace rfs
