#include "rfs/train/options.h"

#include <filesystem>

#include "rfs/core/error.h"
#include "rfs/core/format.h"

namespace rfs {
namespace {

/// Files and runs of earlier versions use the name train.rows_at_once for train.micro_batch.
Table with_new_names(const Table& table) {
  const Value* old = table.find("rows_at_once");
  if (!old || table.find("micro_batch")) return table;
  Table renamed = table;
  renamed.set("micro_batch", *old);
  renamed.erase_if([](const std::string& key, const Value&) { return key == "rows_at_once"; });
  return renamed;
}

/// One form of a path for comparison: "runs/base" for "./runs/base/".
std::string normal_path(const std::string& path) {
  const auto normal = std::filesystem::path(path).lexically_normal();
  return (normal.has_filename() ? normal : normal.parent_path()).string();
}

}  // namespace

TrainOptions TrainOptions::read(const Table* table) {
  TrainOptions options;
  if (table) options.read(with_new_names(*table));
  options.from = normal_path(*options.from);
  const auto origin = [&](const char* key) {
    const Value* given = table ? table->find(key) : nullptr;
    return given ? given->origin : "default";
  };
  if (*options.warmup >= *options.steps) {
    throw Error(rfs::format("{}: train.warmup must be below train.steps, got {} and {}", origin("steps"),
                            *options.warmup, *options.steps));
  }
  if (*options.checkpoint == KeptWeights::best && *options.validate_every == 0) {
    throw Error(rfs::format("{}: train.checkpoint=best needs validation; set train.validate_every above 0",
                            origin("checkpoint")));
  }
  if (*options.lora > 0 && options.from->empty()) {
    throw Error(
        rfs::format("{}: train.lora adapts a trained model; name it with train.from (--from RUN)", origin("lora")));
  }
  return options;
}

}  // namespace rfs
