#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "rfs/core/error.h"

namespace rfs {

/// The processes that train a run together; each handles a share of every batch. All processes call the same functions
/// in the same order; each call waits for all of them.
class Ranks {
 public:
  virtual ~Ranks() = default;

  virtual int rank() const = 0;               ///< this process, counted from 0; rank 0 prints and writes files
  virtual int size() const = 0;               ///< number of processes
  bool first() const { return rank() == 0; }  ///< true for the process that prints and writes files

  /// Sums each element over all ranks. All ranks get the same bits.
  virtual void sum(std::span<float> values) const = 0;
  virtual void sum(std::span<double> values) const = 0;  ///< the same for double
  /// Gathers one text from every rank, in rank order.
  virtual std::vector<std::string> all(const std::string& own) const = 0;
  /// Aborts all ranks with this exit code, whatever they are doing.
  virtual void end_all(int code) const = 0;

  /// A single process.
  static const Ranks& alone();
};

/// An Error that every rank throws at the same point. Rank 0 prints it, and all ranks exit.
class AgreedError : public Error {
 public:
  using Error::Error;
};

/// The name of this machine.
std::string host_name();

/// Number of processes that mpirun or srun started together with this one, according to the environment.
int started_ranks();
/// This process as one of the started ranks, or as a single process. Ranks on one host each see a different GPU. Throws
/// Error if MPI is missing or does not see all ranks.
std::unique_ptr<Ranks> join_ranks();
/// All processes that MPI sees; null in a build without MPI.
std::unique_ptr<Ranks> mpi_ranks();

/// True if `own` is true on any rank.
bool any(const Ranks& ranks, bool own);
/// Runs `body` on all ranks. If it throws Error on one of them, all ranks throw AgreedError with its text. The text
/// also names the rank and host unless all ranks failed with the same text.
void agree(const Ranks& ranks, const std::function<void()>& body);
/// Throws AgreedError on all ranks if `own` is not the same text everywhere. `what` names it in the error.
void require_same(const Ranks& ranks, const std::string& what, const std::string& own);
/// This process's index among the ranks on its host, the number of those ranks, and the number of hosts.
struct Neighbours {
  int index = 0, count = 1, hosts = 1;
};
Neighbours neighbours(const Ranks& ranks);  ///< all ranks must call it

}  // namespace rfs
