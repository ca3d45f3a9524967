#include <algorithm>
#include <array>
#include <string_view>

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/positions/indexing.h"
#include "rfs/positions/sorted.h"

namespace rfs {
namespace {

enum class Draw { integers, floats };
constexpr auto enum_names(Draw) {
  return std::array<std::string_view, 2>{"integers", "floats"};
}

/// Position coupling (Cho et al. 2024): tokens of one group, such as digits of the same significance, share a position.
/// With groups 0 .. G in a row, group g has the position S + g, where the start S is a random integer in training and 0
/// at inference. Abacus (McLeish et al. 2024) numbers the digits of reversed numbers in the same way.
///
/// `draw = "floats"` is Random Float Sampling of the groups: the g-th smallest of G + 1 random floats in training, and
/// L (2g + 1) / (2 max(trained_groups, G + 1)) at inference.
///
/// For a row without groups, each token is its own group.
class Coupled : public PositionIndexing {
 public:
  struct Options : rfs::Options {
    Field<double> range{this, "range", 512.0, "L: positions lie in [0, L)", between(1.0, 1e9)};
    Field<Draw> draw{this, "draw", Draw::integers,
                     "positions of neighbouring groups: consecutive integers from a random start, or sorted random "
                     "floats"};
    Field<int64_t> trained_groups{this, "trained_groups", 1,
                                  "floats: largest number of groups of a training row; inference spacing is not wider",
                                  at_least<int64_t>(1)};
  };
  explicit Coupled(const Options& options) : options_(options) {}

  bool uses_groups() const override { return true; }

  void train_groups(Stream& stream, int64_t, std::span<const int64_t> groups,
                    std::span<float> positions) const override {
    place(groups, drawn(stream, group_count(groups)), positions);
  }

  void infer_groups(Stream&, int64_t, std::span<const int64_t> groups, std::span<float> positions) const override {
    place(groups, inferred(group_count(groups)), positions);
  }

  void train(Stream& stream, int64_t trained, std::span<float> positions) const override {
    train_groups(stream, trained, own_groups(static_cast<int64_t>(positions.size())), positions);
  }
  void infer(Stream& stream, int64_t trained, int64_t input, std::span<float> positions) const override {
    infer_groups(stream, trained, own_groups(std::max(input, static_cast<int64_t>(positions.size()))), positions);
  }

 private:
  static std::vector<int64_t> own_groups(int64_t tokens) {
    require_row_fits(tokens);
    std::vector<int64_t> groups;
    for (int64_t i = 0; i < tokens; ++i) groups.push_back(i);
    return groups;
  }
  int64_t group_count(std::span<const int64_t> groups) const {
    const int64_t count = groups.empty() ? 1 : *std::max_element(groups.begin(), groups.end()) + 1;
    if (static_cast<double>(count) > *options_.range) {
      throw Error(
          rfs::format("positions.range: must be at least the {} groups of a row, got {}", count, *options_.range));
    }
    return count;
  }
  /// Training positions of the groups.
  std::vector<double> drawn(Stream& stream, int64_t count) const {
    switch (*options_.draw) {
      case Draw::integers: {
        const auto starts = static_cast<uint64_t>(static_cast<int64_t>(*options_.range) - count) + 1;
        return integers(static_cast<double>(stream.below(starts)), count);
      }
      case Draw::floats:
        break;
    }
    auto values = sorted_uniforms(stream, count, count);
    for (double& value : values) value *= *options_.range;
    return values;
  }
  /// Inference positions of the groups.
  std::vector<double> inferred(int64_t count) const {
    auto values = integers(0, count);
    switch (*options_.draw) {
      case Draw::integers:
        return values;
      case Draw::floats:
        break;
    }
    const double step = *options_.range / static_cast<double>(std::max(*options_.trained_groups, count));
    for (double& value : values) value = (value + 0.5) * step;
    return values;
  }
  static std::vector<double> integers(double start, int64_t count) {
    std::vector<double> values;
    for (int64_t g = 0; g < count; ++g) values.push_back(start + static_cast<double>(g));
    return values;
  }
  /// Positions of the first positions.size() tokens.
  void place(std::span<const int64_t> groups, const std::vector<double>& values, std::span<float> positions) const {
    std::vector<float> of_group(values.size());
    round_distinct(values, *options_.range, of_group);
    for (size_t i = 0; i < positions.size(); ++i) positions[i] = of_group[static_cast<size_t>(groups[i])];
  }

  Options options_;
};

const bool registered =
    Registry<PositionIndexing>::add<Coupled>("position coupling: digits of the same significance share a position");

}  // namespace
}  // namespace rfs
