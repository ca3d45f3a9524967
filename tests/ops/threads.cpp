// The references that fast paths are tested against work on small tensors: on a machine with many cores most of their
// time would go into waking threads.

#include <ATen/Parallel.h>

#include <algorithm>

namespace rfs {
namespace {

const bool few_threads = [] {
  at::set_num_threads(std::min(at::get_num_threads(), 8));
  return true;
}();

}  // namespace
}  // namespace rfs
