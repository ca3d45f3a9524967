#include "rfs/train/ranks.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <sstream>

#include "rfs/core/format.h"

namespace rfs {
namespace {

class Alone : public Ranks {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  void sum(std::span<float>) const override {}
  void sum(std::span<double>) const override {}
  std::vector<std::string> all(const std::string& own) const override { return {own}; }
  void end_all(int) const override {}
};

/// Limits this process to one of the GPUs that it may see: the one at index `place`.
void show_one_gpu(int place) {
  constexpr const char* name = "CUDA_VISIBLE_DEVICES";
  std::vector<std::string> seen;
  if (const char* given = std::getenv(name)) {
    std::istringstream text(given);
    for (std::string one; std::getline(text, one, ',');) seen.push_back(one);
    if (seen.size() < 2) return;  // none, or already chosen by the launcher
  }
  const auto at = static_cast<size_t>(place);
  setenv(name, (seen.empty() ? std::to_string(place) : at < seen.size() ? seen[at] : "").c_str(), 1);
}

}  // namespace

const Ranks& Ranks::alone() {
  static const Alone alone;
  return alone;
}

std::string host_name() {
  char name[256] = {};
  gethostname(name, sizeof(name) - 1);
  return name;
}

int started_ranks() {
  // Open MPI; MPICH and other PMI launchers; srun.
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}) {
    const char* text = std::getenv(name);
    if (const int size = text ? std::atoi(text) : 0; size > 0) return size;
  }
  return 1;
}

std::unique_ptr<Ranks> join_ranks() {
  const int started = started_ranks();
  if (started == 1) return std::make_unique<Alone>();
  auto ranks = mpi_ranks();
  if (!ranks)
    throw Error(rfs::format(
        "ranks: this build has no MPI but {} ranks were started; rebuild with MPI or start one process", started));
  if (ranks->size() != started) {
    throw Error(
        rfs::format("ranks: {} processes were started, but MPI sees {}; use the mpirun or srun of the MPI that rfs was "
                    "built with (srun --mpi=list shows what it supports)",
                    started, ranks->size()));
  }
  show_one_gpu(neighbours(*ranks).index);
  return ranks;
}

bool any(const Ranks& ranks, bool own) {
  const auto answers = ranks.all(own ? "1" : "0");
  return std::find(answers.begin(), answers.end(), "1") != answers.end();
}

void agree(const Ranks& ranks, const std::function<void()>& body) {
  if (ranks.size() == 1) return body();
  std::string failure;
  try {
    body();
  } catch (const Error& error) {
    failure = error.what();
  }
  const auto failures = ranks.all(failure);
  const auto failed = std::find_if(failures.begin(), failures.end(), [](const auto& text) { return !text.empty(); });
  if (failed == failures.end()) return;
  const auto hosts = ranks.all(host_name());
  if (std::count(failures.begin(), failures.end(), *failed) == ranks.size()) throw AgreedError(*failed);
  const auto number = failed - failures.begin();
  throw AgreedError(rfs::format("rank {} on {}: {}", number, hosts[static_cast<size_t>(number)], *failed));
}

void require_same(const Ranks& ranks, const std::string& what, const std::string& own) {
  const auto answers = ranks.all(own), hosts = ranks.all(host_name());
  for (size_t i = 1; i < answers.size(); ++i) {
    if (answers[i] == answers[0]) continue;
    throw AgreedError(rfs::format("{}: must be the same on all ranks, got {} on rank 0 ({}) and {} on rank {} ({})",
                                  what, answers[0], hosts[0], answers[i], i, hosts[i]));
  }
}

Neighbours neighbours(const Ranks& ranks) {
  const auto hosts = ranks.all(host_name());
  const auto own = hosts.begin() + ranks.rank();
  return {static_cast<int>(std::count(hosts.begin(), own, *own)),
          static_cast<int>(std::count(hosts.begin(), hosts.end(), *own)),
          static_cast<int>(std::set(hosts.begin(), hosts.end()).size())};
}

}  // namespace rfs
