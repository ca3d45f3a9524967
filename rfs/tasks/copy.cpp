#include "rfs/tasks/word_task.h"

namespace rfs {
namespace {

/// `Copy: w1 ... wn [SEP] w1 ... wn`: n words, independent and uniform from a list (split cmc_tr20_ts40).
class Copy : public WordTask {
 public:
  struct Options : WordTaskOptions {
    Options() : WordTaskOptions(100) {}
  };
  explicit Copy(const Options& options) : WordTask(options, "Copy:") {}

 protected:
  Words answer(Words words) const override { return words; }
};

const bool registered = Registry<Task>::add<Copy>("repeat n random words");

}  // namespace
}  // namespace rfs
