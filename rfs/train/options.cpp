#include "rfs/train/options.h"

#include <fmt/format.h>

#include "rfs/core/error.h"

namespace rfs {

TrainOptions TrainOptions::read(const Table* table) {
  TrainOptions options;
  if (table) options.read(*table);
  if (*options.warmup >= *options.steps) {
    const Value* given = table ? table->find("steps") : nullptr;
    throw Error(fmt::format("{}: train.warmup must be below train.steps, got {} and {}",
                            given ? given->origin : "default", *options.warmup, *options.steps));
  }
  return options;
}

}  // namespace rfs
