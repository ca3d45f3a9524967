// Stub for builds without MPI.

#include "rfs/train/ranks.h"

namespace rfs {

std::unique_ptr<Ranks> mpi_ranks() {
  return nullptr;
}

}  // namespace rfs
