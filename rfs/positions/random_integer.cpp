#include <algorithm>
#include <array>
#include <string_view>

#include "rfs/arithmetic/draws.h"
#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/positions/indexing.h"
#include "rfs/positions/sorted.h"

namespace rfs {
namespace {

enum class Inference { drawn, even };
constexpr auto enum_names(Inference) {
  return std::array<std::string_view, 2>{"drawn", "even"};
}

/// Random integer sampling (Ruoss et al. 2023): n of the integers 1 .. L, sorted, without replacement.
class RandomInteger : public PositionIndexing {
 public:
  struct Options : rfs::Options {
    Field<int64_t> range{this, "range", 512, "L: integers are drawn from 1 .. L",
                         between<int64_t>(1, PositionIndexing::longest_row)};
    Field<Inference> inference{
        this, "inference", Inference::drawn,
        "at inference: drawn (as in training, one draw per row) or even (evenly spaced integers)"};
  };
  explicit RandomInteger(const Options& options) : options_(options) {}

  void train(Stream& stream, int64_t, std::span<float> positions) const override {
    draw(stream, positions.size(), positions);
  }

  std::optional<TrainDraw> train_draw() const override {
    return TrainDraw{TrainDraw::Kind::chosen_integers, static_cast<double>(*options_.range), false};
  }

  void infer(Stream& stream, int64_t trained, int64_t input, std::span<float> positions) const override {
    switch (*options_.inference) {
      case Inference::drawn:
        return draw(stream, static_cast<size_t>(input), positions);
      case Inference::even:
        return space(std::max(trained, input), positions);
    }
  }

 private:
  void require_fits(int64_t tokens) const {
    if (tokens > options_.range) {
      throw Error(rfs::format("positions.range: must be at least the tokens of a row for {} distinct integers, got {}",
                              tokens, *options_.range));
    }
  }

  /// floor(L (2i - 1) / (2M)) + 1 with M = `slots` = max(n_tr, n_in): distinct while M <= L.
  void space(int64_t slots, std::span<float> positions) const {
    require_fits(slots);
    for (size_t i = 0; i < positions.size(); ++i) {
      positions[i] = static_cast<float>(*options_.range * (2 * static_cast<int64_t>(i) + 1) / (2 * slots) + 1);
    }
  }

  // Only the first positions.size() of `count` are stored.
  void draw(Stream& stream, size_t count, std::span<float> positions) const {
    require_fits(static_cast<int64_t>(count));
    const auto range = static_cast<size_t>(*options_.range);
    size_t taken = 0;
    for (size_t v = 0; v < range && taken < positions.size(); ++v) {
      if (is_chosen(stream.uniform(), static_cast<int64_t>(range - v), static_cast<int64_t>(count - taken))) {
        positions[taken++] = static_cast<float>(v + 1);
      }
    }
  }

  Options options_;
};

const bool registered = Registry<PositionIndexing>::add<RandomInteger>("random sorted integers out of 1 .. L");

}  // namespace
}  // namespace rfs
