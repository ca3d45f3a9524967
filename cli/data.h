#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rfs/run/events.h"
#include "rfs/run/settings.h"

namespace rfs {

/// The arguments of `rfs data`.
struct DataArguments {
  std::string file, out, split = "train";
  std::vector<std::string> assignments;
  int64_t samples = 3, train_up_to = 0, validation = 100;
};

/// The settings for the data. Data do not depend on positions or training, so the first point of a sweep stands for
/// all. Throws Error for a sweep over the data settings themselves.
RunSettings data_settings(const DataArguments& arguments);

void show_data(const DataArguments& arguments, const RunContext& context);
void count_data(const DataArguments& arguments, const RunContext& context);

}  // namespace rfs
