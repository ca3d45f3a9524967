#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rfs/run/events.h"
#include "rfs/run/settings.h"

namespace rfs {

/// What `rfs data` was called with.
struct DataArguments {
  std::string file, out, split = "train";
  std::vector<std::string> assignments;
  int64_t samples = 3, train_up_to = 0, validation = 100;
};

/// Data do not depend on how tokens are numbered or what is trained, so a sweep's first point stands for all of it; a
/// sweep over the data themselves is an Error.
RunSettings data_settings(const DataArguments& arguments);

void show_data(const DataArguments& arguments, const RunContext& context);
void count_data(const DataArguments& arguments, const RunContext& context);

}  // namespace rfs
