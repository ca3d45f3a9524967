#include <mpi.h>

#include <algorithm>
#include <numeric>

#include "rfs/train/ranks.h"

namespace rfs {
namespace {

/// MPI aborts the program by itself if one of its calls fails.
class MpiRanks : public Ranks {
 public:
  MpiRanks() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  ~MpiRanks() override { MPI_Finalize(); }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void sum(std::span<float> values) const override { sum(values, MPI_FLOAT); }
  void sum(std::span<double> values) const override { sum(values, MPI_DOUBLE); }

  std::vector<std::string> all(const std::string& own) const override {
    const auto ranks = static_cast<size_t>(size_);
    const int length = static_cast<int>(own.size());
    std::vector<int> lengths(ranks), begins(ranks);
    MPI_Allgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, MPI_COMM_WORLD);
    std::exclusive_scan(lengths.begin(), lengths.end(), begins.begin(), 0);
    std::string text(static_cast<size_t>(begins.back() + lengths.back()), '\0');
    MPI_Allgatherv(own.data(), length, MPI_CHAR, text.data(), lengths.data(), begins.data(), MPI_CHAR, MPI_COMM_WORLD);
    std::vector<std::string> texts;
    for (size_t i = 0; i < ranks; ++i) {
      texts.push_back(text.substr(static_cast<size_t>(begins[i]), static_cast<size_t>(lengths[i])));
    }
    return texts;
  }

  void end_all(int code) const override { MPI_Abort(MPI_COMM_WORLD, code); }

 private:
  template <class T>
  void sum(std::span<T> values, MPI_Datatype type) const {
    constexpr size_t most = size_t{1} << 30;  // MPI counts are int
    for (size_t begin = 0; begin < values.size(); begin += most) {
      const auto part = values.subspan(begin, std::min(most, values.size() - begin));
      MPI_Allreduce(MPI_IN_PLACE, part.data(), static_cast<int>(part.size()), type, MPI_SUM, MPI_COMM_WORLD);
    }
  }

  int rank_ = 0, size_ = 1;
};

}  // namespace

std::unique_ptr<Ranks> mpi_ranks() {
  return std::make_unique<MpiRanks>();
}

}  // namespace rfs
