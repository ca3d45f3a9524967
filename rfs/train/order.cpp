#include "rfs/train/order.h"

#include <numeric>
#include <utility>

#include "rfs/core/random.h"

namespace rfs {

int64_t Order::operator()(int64_t t) {
  if (t / examples_ != pass_) {
    pass_ = t / examples_;
    Stream stream(seed_, "order", static_cast<uint64_t>(pass_));
    permutation_.resize(static_cast<size_t>(examples_));
    std::iota(permutation_.begin(), permutation_.end(), int64_t{0});
    for (size_t i = permutation_.size() - 1; i > 0; --i) std::swap(permutation_[i], permutation_[stream.below(i + 1)]);
  }
  return permutation_[static_cast<size_t>(t % examples_)];
}

}  // namespace rfs
