#include "rfs/run/libraries.h"

#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <torch/version.h>

#include "rfs/core/format.h"

namespace rfs {

Provenance libraries() {
  return {{"libtorch", TORCH_VERSION}, {"threads", std::to_string(at::get_num_threads())}};
}

std::string processor_text() {
  return rfs::format("{} threads, {}", at::get_num_threads(), at::get_cpu_capability());
}

}  // namespace rfs
