#include <bit>
#include <cmath>

#include "rfs/encodings/encoding.h"

namespace rfs {
namespace {

/// ALiBi (Press et al. 2021): score - slope_h (p_i - p_j). For H = 2^m heads slope_h = 2^(-8h/H), h = 1 .. H. For
/// other H: the slopes of the power of two P below, then every other one of those for 2P heads.
class Alibi : public PositionEncoding {
 public:
  using Options = NoOptions;
  explicit Alibi(const Options&) {}

  std::vector<double> slopes(int64_t heads) const override {
    const auto whole = static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(heads)));
    std::vector<double> all;
    for (int64_t h = 1; h <= whole; ++h) all.push_back(slope(h, whole));
    for (int64_t h = 1; static_cast<int64_t>(all.size()) < heads; h += 2) all.push_back(slope(h, 2 * whole));
    return all;
  }

 private:
  static double slope(int64_t h, int64_t heads) {
    return std::exp2(-8.0 * static_cast<double>(h) / static_cast<double>(heads));
  }
};

const bool registered = Registry<PositionEncoding>::add<Alibi>("scores fall with the distance of positions");

}  // namespace
}  // namespace rfs
