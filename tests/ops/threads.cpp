// The reference implementations work on small tensors. On a machine with many cores they would spend most of their time
// waking threads.

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
