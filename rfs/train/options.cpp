#include "rfs/train/options.h"

#include "rfs/core/error.h"
#include "rfs/core/format.h"

namespace rfs {

TrainOptions TrainOptions::read(const Table* table) {
  TrainOptions options;
  if (table) options.read(*table);
  const auto origin = [&](const char* key) {
    const Value* given = table ? table->find(key) : nullptr;
    return given ? given->origin : "default";
  };
  if (*options.warmup >= *options.steps) {
    throw Error(rfs::format("{}: train.warmup must be below train.steps, got {} and {}", origin("steps"),
                            *options.warmup, *options.steps));
  }
  if (*options.checkpoint == "best" && *options.validate_every == 0) {
    throw Error(rfs::format("{}: train.checkpoint must be last where train.validate_every is 0, got best",
                            origin("checkpoint")));
  }
  return options;
}

}  // namespace rfs
