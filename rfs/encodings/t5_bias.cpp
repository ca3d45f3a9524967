#include <torch/types.h>

#include <cmath>

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/encodings/encoding.h"

namespace rfs {
namespace {

/// T5's relative bias (Raffel et al. 2020): a learned number per head and bucket of distances, shared by all layers. Of
/// 32 buckets the first 16 are the distances 0 .. 15; bucket 16 + floor(16 log(d / 16) / log(128 / 16)), at most 31,
/// holds the others.
///
/// Float distances: the bucket of a distance is a real number, and the bias is interpolated between its two neighbours.
/// With random_float positions, `scale` = n_tr / L makes the mean gap of a training row 1.
class T5Bias : public PositionEncoding {
 public:
  struct Options : rfs::Options {
    Field<int64_t> buckets{this, "buckets", 32, "buckets of distances; half of them are exact distances",
                           between<int64_t>(4, 4096)};
    Field<int64_t> largest{this, "largest", 128, "distances from here on share the last bucket",
                           between<int64_t>(4, 1'000'000'000)};
    Field<double> scale{this, "scale", 1.0, "distances are multiplied by this; n_tr / L suits random_float positions",
                        between(1e-9, 1e9)};
    Field<bool> interpolate{this, "interpolate", true,
                            "interpolate between neighbouring buckets; false: round down, as T5 does"};
  };
  explicit T5Bias(const Options& options) : options_(options) {
    if (options.largest <= options.buckets / 2) {
      throw Error(rfs::format("encoding.largest: must be above half of the {} buckets, got {}", *options.buckets,
                              *options.largest));
    }
  }

  bool has_bias() const override { return true; }
  std::vector<LearnedTensor> learned(const ModelShape& shape) const override {
    const double init_stddev = 1 / std::sqrt(static_cast<double>(std::max<int64_t>(1, shape.width)));
    return {{"table",
             {options_.buckets, shape.heads},
             [=](Stream& stream) { return init_stddev * stream.normal(); },
             true}};
  }

  torch::Tensor bias(std::span<const torch::Tensor> learned, const torch::Tensor& query_R,
                     const torch::Tensor& key_R) const override {
    const double exact = static_cast<double>(options_.buckets / 2), last = static_cast<double>(options_.buckets - 1);
    torch::Tensor distance_R = (query_R - key_R) * *options_.scale;
    if (!options_.interpolate) distance_R = distance_R.floor();
    const double log_range = std::log(static_cast<double>(*options_.largest) / exact);
    const auto far_R = exact + torch::log(distance_R.clamp_min(exact) / exact) * ((last + 1 - exact) / log_range);
    const auto bucket_R = torch::where(distance_R < exact, distance_R, far_R).clamp(0, last);
    const auto read_R = options_.interpolate ? bucket_R : bucket_R.floor();
    // As a matmul with each bucket's share of a distance: on a GPU, the gradients of index_select and of embedding are
    // summed in random order.
    const auto number_B = torch::arange(*options_.buckets, read_R.options());
    const auto share_RB = (read_R.unsqueeze(1) - number_B).abs_().neg_().add_(1).clamp_min_(0);
    return torch::matmul(learned[0].t(), share_RB.t());
  }

 private:
  Options options_;
};

const bool registered = Registry<PositionEncoding>::add<T5Bias>("T5's relative bias: learned, by bucket of distances");

}  // namespace
}  // namespace rfs
