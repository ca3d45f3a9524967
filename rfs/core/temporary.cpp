#include "rfs/core/temporary.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <mutex>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "rfs/core/format.h"
#include "rfs/core/process.h"
#include "rfs/core/sha256.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view before_host = ".rfs-", after_number = ".part";
constexpr size_t host_digits = 8;

std::string host_hash(const Process& process) {
  Sha256 hash;
  hash.add(process.host + " " + process.table);
  return hash.hex().substr(0, host_digits);
}

struct Owner {
  std::string host;  ///< hash of the host and PID namespace
  pid_t number = 0;
};

/// The process that created a file of this name; nothing if it is not one of our temporary names.
std::optional<Owner> owner_of(std::string_view name) {
  const auto hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  const size_t begin = name.rfind(before_host);
  if (begin == std::string_view::npos || begin == 0 || !name.ends_with(after_number)) return std::nullopt;
  const std::string_view words = name.substr(begin + before_host.size());  // HOST-PID.part
  const std::string_view host = words.substr(0, host_digits);
  if (words.size() < host_digits + 1 || words[host_digits] != '-' || !std::all_of(host.begin(), host.end(), hex)) {
    return std::nullopt;
  }
  Owner owner{std::string(host)};
  const char *first = words.data() + host_digits + 1, *last = words.data() + words.size() - after_number.size();
  if (first >= last || *first < '1' || *first > '9') return std::nullopt;
  const auto [end, error] = std::from_chars(first, last, owner.number);
  if (error != std::errc() || end != last) return std::nullopt;
  return owner;
}

bool abandoned(const fs::path& path, const Owner& owner, const Process& self) {
  if (owner.host == host_hash(self)) return Process{self.host, self.table, owner.number}.gone();
  std::error_code error;
  const auto changed = fs::last_write_time(path, error);
  return !error && fs::file_time_type::clock::now() - changed > std::chrono::hours(24);
}

/// The paths of all living objects. Never destroyed, because threads may outlive `main`.
struct Living {
  std::mutex mutex;
  std::set<fs::path> paths;

  static Living& all() {
    static auto* const all = new Living;
    return *all;
  }
};

}  // namespace

Ephemeral::Ephemeral(fs::path path) : path_(std::move(path)) {
  const std::lock_guard lock(Living::all().mutex);
  Living::all().paths.insert(path_);
}

Ephemeral::~Ephemeral() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  const std::lock_guard lock(Living::all().mutex);
  Living::all().paths.erase(path_);
}

void Ephemeral::remove_all() {
  std::error_code ignored;
  const std::lock_guard lock(Living::all().mutex);
  for (const auto& path : Living::all().paths) fs::remove_all(path, ignored);
}

fs::path temporary_path(const fs::path& path) {
  const Process self = Process::self();
  return rfs::format("{}{}{}-{}{}", path.string(), before_host, host_hash(self), self.number, after_number);
}

void remove_abandoned(const fs::path& folder) {
  std::error_code ignored;
  const Process self = Process::self();
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const auto owner = owner_of(entry.path().filename().string());
    if (owner && abandoned(entry.path(), *owner, self)) paths.push_back(entry.path());
  }
  for (const auto& path : paths) fs::remove_all(path, ignored);
}

std::string first_entry(const fs::path& folder) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (owner_of(name)) continue;
    const bool is_folder = entry.symlink_status(ignored).type() == fs::file_type::directory;
    if (!is_folder || !first_entry(entry.path()).empty()) return name;
  }
  return "";
}

}  // namespace rfs
