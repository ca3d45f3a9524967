#include "rfs/encodings/alibi_slopes.h"
#include "rfs/encodings/encoding.h"

namespace rfs {
namespace {

/// ALiBi (Press et al. 2021): score - slope_h (p_i - p_j).
class Alibi : public PositionEncoding {
 public:
  using Options = NoOptions;
  explicit Alibi(const Options&) {}

  std::vector<double> slopes(int64_t heads) const override { return alibi_slopes(heads); }
};

const bool registered = Registry<PositionEncoding>::add<Alibi>("ALiBi: scores fall linearly with the distance");

}  // namespace
}  // namespace rfs
