#include <torch/types.h>

#include "rfs/encodings/encoding.h"
#include "rfs/encodings/kept_above.h"

namespace rfs {
namespace {

/// KERPLE, logarithmic (Chi et al. 2022): score - p_h log(1 + a_h d), d = p_i - p_j. Initially p ~ U(0, 2) and
/// a ~ U(0, 1); both stay at .01 or above.
class Kerple : public PositionEncoding {
 public:
  using Options = NoOptions;
  explicit Kerple(const Options&) {}

  bool has_bias() const override { return true; }
  std::vector<LearnedTensor> learned(const ModelShape& shape) const override {
    return {{"p", {shape.heads}, [](Stream& stream) { return 2 * stream.uniform(); }},
            {"a", {shape.heads}, [](Stream& stream) { return stream.uniform(); }}};
  }
  bool shared_by_layers() const override { return false; }

  torch::Tensor bias(std::span<const torch::Tensor> learned, const torch::Tensor& query_R,
                     const torch::Tensor& key_R) const override {
    const auto at_least = [](const torch::Tensor& x_H) { return kept_above(x_H, least).unsqueeze(1); };
    return -at_least(learned[0]) * torch::log1p(at_least(learned[1]) * (query_R - key_R));
  }

 private:
  static constexpr double least = 0.01;
};

const bool registered =
    Registry<PositionEncoding>::add<Kerple>("KERPLE: scores fall with the logarithm of the distance, learned");

}  // namespace
}  // namespace rfs
