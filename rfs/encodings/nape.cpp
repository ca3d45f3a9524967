#include "rfs/encodings/alibi_slopes.h"
#include "rfs/encodings/encoding.h"

namespace rfs {
namespace {

/// NAPE (used with ASEntmax, Vasylenko et al. 2025): ALiBi in the first half of the heads, no positions in the others.
class Nape : public PositionEncoding {
 public:
  using Options = NoOptions;
  explicit Nape(const Options&) {}

  std::vector<double> slopes(int64_t heads) const override {
    auto slopes = alibi_slopes((heads + 1) / 2);
    slopes.resize(static_cast<size_t>(heads), 0.0);
    return slopes;
  }
};

const bool registered = Registry<PositionEncoding>::add<Nape>("half of the heads ALiBi, half without positions");

}  // namespace
}  // namespace rfs
