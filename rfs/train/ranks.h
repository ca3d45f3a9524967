#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "rfs/core/error.h"

namespace rfs {

/// The processes that train a run together, each a share of every batch. All of them call the same functions in the
/// same order; one that is missing is waited for.
class Ranks {
 public:
  virtual ~Ranks() = default;

  virtual int rank() const = 0;  ///< this process, from 0; the first one speaks and writes
  virtual int size() const = 0;
  bool first() const { return rank() == 0; }

  /// Each element becomes its sum over all ranks, with the same bits on all of them.
  virtual void sum(std::span<float> values) const = 0;
  virtual void sum(std::span<double> values) const = 0;
  /// What each rank says, in their order.
  virtual std::vector<std::string> all(const std::string& own) const = 0;
  /// Ends all ranks with this exit code, wherever they are.
  virtual void end_all(int code) const = 0;

  /// One process, for those that know no others.
  static const Ranks& alone();
};

/// An Error that every rank throws at the same place: the first one says it and all of them end.
class AgreedError : public Error {
 public:
  using Error::Error;
};

/// The name of this machine.
std::string host_name();

/// How many processes mpirun or srun started together with this one, as the environment says.
int started_ranks();
/// This process among those that were started with it, or alone. Of several on a host each sees a GPU of its own.
/// Throws Error where MPI is missing or does not see all of them.
std::unique_ptr<Ranks> join_ranks();
/// All processes that MPI knows; null in a build without it.
std::unique_ptr<Ranks> mpi_ranks();

/// Whether it is true on any rank.
bool any(const Ranks& ranks, bool own);
/// Runs `body` on all ranks. Where it throws Error on one of them, all throw AgreedError: in its words, and with its
/// name where others say something else.
void agree(const Ranks& ranks, const std::function<void()>& body);
/// Throws AgreedError on all ranks where they do not all say the same of `what`.
void require_same(const Ranks& ranks, const std::string& what, const std::string& own);
/// The place of this process among the ranks on its host, how many those are, and how many hosts there are.
struct Neighbours {
  int place = 0, count = 1, hosts = 1;
};
Neighbours neighbours(const Ranks& ranks);

}  // namespace rfs
