#include "rfs/records/provenance.h"

#include <array>
#include <ctime>
#include <fstream>
#include <thread>

#include "rfs/core/format.h"
#include "rfs/core/version.h"

namespace rfs {
namespace {

std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown processor";
}

/// "2026-11-16T14:43:05Z"
std::string utc_date(std::time_t time) {
  std::tm parts{};
  gmtime_r(&time, &parts);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

}  // namespace

Provenance provenance(const std::string& command, const Provenance& more) {
  Provenance all = more;
  all["version"] = version;
  all["commit"] = commit();
  all["compiler"] = compiler;
  all["machine"] = rfs::format("{}, {} cores", processor(), std::thread::hardware_concurrency());
  all["date"] = utc_date(std::time(nullptr));
  all["command"] = command;
  return all;
}

}  // namespace rfs
