#include <array>
#include <string_view>

#include "rfs/positions/indexing.h"
#include "rfs/positions/sorted.h"

namespace rfs {
namespace {

enum class Start { largest, zero };
constexpr auto enum_names(Start) {
  return std::array<std::string_view, 2>{"largest", "zero"};
}

/// SHAPE (Kiyono et al. 2021): k, k + 1, k + 2, ... with one offset k per training row, uniform in 0 .. K. At inference
/// the authors' code starts at K; `inference = "zero"` starts at 0, which keeps K more tokens within trained positions.
class Shape : public PositionIndexing {
 public:
  struct Options : rfs::Options {
    Field<int64_t> largest_offset{this, "largest_offset", 500, "K: a training row starts at an integer in 0 .. K",
                                  between<int64_t>(0, PositionIndexing::longest_row)};
    Field<Start> inference{this, "inference", Start::largest, "where inference rows start: at K or at 0"};
  };
  explicit Shape(const Options& options) : options_(options) {}

  void train(Stream& stream, int64_t, std::span<float> positions) const override {
    count(static_cast<int64_t>(stream.below(static_cast<uint64_t>(*options_.largest_offset) + 1)), positions);
  }
  void infer(Stream&, int64_t, int64_t, std::span<float> positions) const override {
    switch (*options_.inference) {
      case Start::largest:
        return count(*options_.largest_offset, positions);
      case Start::zero:
        return count(0, positions);
    }
  }
  std::optional<double> even_step(int64_t, int64_t) const override { return 1; }

 private:
  static void count(int64_t start, std::span<float> positions) {
    require_row_fits(static_cast<int64_t>(positions.size()) + start);
    for (size_t i = 0; i < positions.size(); ++i) positions[i] = static_cast<float>(start + static_cast<int64_t>(i));
  }

  Options options_;
};

const bool registered = Registry<PositionIndexing>::add<Shape>("SHAPE: integers with one random offset per row");

}  // namespace
}  // namespace rfs
