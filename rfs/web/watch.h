#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace rfs {

/// The live page: it asks for `state.json` every two seconds.
std::string watch_page(const std::filesystem::path& folder);

/// What that page shows: the progress of the runs below a folder, and their figures. The folder may appear later.
class RunWatch {
 public:
  explicit RunWatch(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// As JSON: `runs` (rows of the table), `left_out`, and `charts` (rfs/report/chart.h). Throws Error for a broken
  /// record.
  std::string state();

 private:
  /// A step and the time at which it was recorded.
  struct Seen {
    int64_t step = 0;
    double time = 0;
  };
  /// Estimated seconds until the last step, from the pace since the first look; negative if unknown.
  double seconds_left(const std::string& name, Seen now, int64_t steps);

  std::filesystem::path folder_;
  std::map<std::string, Seen> first_seen_;
};

}  // namespace rfs
