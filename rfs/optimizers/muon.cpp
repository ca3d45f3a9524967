#include <cmath>

#include "rfs/model/parameters.h"
#include "rfs/optimizers/adamw_update.h"

namespace rfs {
namespace {

using torch::Tensor;

/// Muon (Jordan et al. 2024): hidden matrices move along their orthogonalized momentum; AdamW updates everything else.
///
///   m <- mu m + (1 - mu) g
///   u = NewtonSchulz((1 - mu) g + mu m)
///   W <- W (1 - lr decay) - lr .2 sqrt(max(rows, columns)) u
///
/// The factor (Liu et al. 2025) gives updates the size of AdamW's, so that both use the same learning rate. Matrices
/// stacked in one parameter (queries, keys and values) are orthogonalized separately.
class Muon : public OptimizerRule {
 public:
  struct Options : rfs::Options {
    Field<double> momentum{this, "momentum", 0.95, "mu, momentum of the hidden matrices' gradients",
                           between(0.0, 0.9999)};
    Field<int64_t> iterations{this, "iterations", 5, "Newton-Schulz iterations", between<int64_t>(1, 50)};
  };
  explicit Muon(const Options& options) : options_(options) {}

  std::vector<std::string> state_names() const override { return {"momentum", "second"}; }

  void update(const Parameters& parameters, std::span<const Tensor> state, const UpdateStep& step) const override {
    int64_t begin = 0;
    for (size_t number = 0; number < parameters.items().size(); ++number) {
      const auto& item = parameters.items()[number];
      const auto& stacked = parameters.stacked(number);
      const int64_t end = begin + item.tensor.numel();
      if (stacked.empty()) {
        const double decay = begin < parameters.decayed() ? step.weight_decay : 0;
        adamw_update(begin, end, decay, step, parameters.flat(), parameters.gradient(), state[0], state[1]);
      } else {
        const auto part = [&](const Tensor& flat) {
          return flat.narrow(0, begin, end - begin).view(item.tensor.sizes());
        };
        int64_t row = 0;
        for (const int64_t rows : stacked) {
          const auto matrix = [&](const Tensor& flat) { return part(flat).narrow(0, row, rows); };
          move(matrix(parameters.flat()), matrix(parameters.gradient()), matrix(state[0]), step);
          row += rows;
        }
      }
      begin = end;
    }
  }

 private:
  void move(const Tensor& weights, const Tensor& gradient, Tensor momentum, const UpdateStep& step) const {
    const double mu = options_.momentum;
    momentum.lerp_(gradient, 1 - mu);
    const Tensor direction = orthogonal(gradient.lerp(momentum, mu));
    const auto longer = static_cast<double>(std::max(weights.size(0), weights.size(1)));
    Tensor moved = weights;
    moved.mul_(1 - step.learning_rate * step.weight_decay);
    moved.sub_(direction, step.learning_rate * 0.2 * std::sqrt(longer));
  }

  /// Approximates U V^T of a matrix U S V^T: each iteration maps singular values s to 3.4445 s - 4.775 s^3 + 2.0315
  /// s^5.
  Tensor orthogonal(const Tensor& matrix) const {
    const bool tall = matrix.size(0) > matrix.size(1);
    Tensor x = tall ? matrix.t() : matrix;
    x = x / (x.norm() + 1e-7);
    for (int64_t i = 0; i < options_.iterations; ++i) {
      const Tensor a = torch::matmul(x, x.t());
      const Tensor b = torch::addmm(a, a, a, -4.7750, 2.0315);
      x = torch::addmm(x, b, x, 3.4445);
    }
    return tall ? x.t() : x;
  }

  Options options_;
};

const bool registered = Registry<OptimizerRule>::add<Muon>("Muon on hidden matrices, AdamW on the rest");

}  // namespace
}  // namespace rfs
