// Every model in each GPU tier against the reference in double precision on the CPU: losses and the gradient of every
// parameter.

#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include <cmath>

#include "every_model.h"
#include "rfs/core/random.h"
#include "rfs/engine/engine.h"

namespace rfs {
namespace {

using torch::Tensor;

/// Rows of the given lengths, with different positions on each track.
Batch rows_of(const std::vector<size_t>& lengths, size_t tracks) {
  static std::vector<std::vector<int32_t>> sequences;
  sequences.clear();
  Stream stream(5, "tiers");
  std::vector<std::vector<float>> positions(tracks);
  std::vector<Row> rows;
  for (const size_t length : lengths) {
    auto& sequence = sequences.emplace_back();
    for (size_t i = 0; i < length; ++i) sequence.push_back(static_cast<int32_t>(stream.below(13)));
    for (size_t track = 0; track < tracks; ++track) {
      float position = 0;
      for (size_t i = 0; i + 1 < length; ++i) {
        positions[track].push_back(position += static_cast<float>(stream.exponential()));
      }
    }
  }
  for (const auto& sequence : sequences)
    rows.push_back(sequence_row(sequence, std::max<size_t>(1, sequence.size() / 2)));
  return pack(rows, positions);
}

double norm_of(const Tensor& x) {
  return x.to(torch::kFloat64).norm().item<double>();
}

double difference(const Tensor& a, const Tensor& b) {
  return norm_of(a.detach().to(torch::kCPU, torch::kFloat64).flatten() - b.to(torch::kFloat64).flatten());
}

double distance(const Tensor& a, const Tensor& b) {
  return difference(a, b) / (norm_of(b) + 1e-12);
}

/// "blocks.1.encoding." for a tensor that an encoding or attention rule learns, else "".
std::string method_of(const std::string& name) {
  for (const std::string method : {"encoding.", "attention_rule."}) {
    if (const auto at = name.find(method); at != name.npos) return name.substr(0, at + method.size());
  }
  return "";
}

class EveryTier : public testing::TestWithParam<AnyModel> {
 protected:
  void SetUp() override {
    if (const auto refusal = device_refusal(); !refusal.empty()) GTEST_SKIP() << "NOT TESTED: " << refusal;
    reference_ = GetParam().decoder(torch::kFloat64, torch::kCPU, AnyModel::heads_of_64);
    reference_->backend = Backend::reference;
    single_ = GetParam().decoder(torch::kFloat32, torch::kCPU, AnyModel::heads_of_64);
    const torch::NoGradGuard no_gradient;
    reference_->parameters().flat().copy_(single_->parameters().flat());
  }

  void expect_tiers(const std::vector<size_t>& lengths, double rate) {
    const Batch batch = rows_of(lengths, reference_->spec().tracks());
    Dropout dropout{rate, 99, {}};
    for (size_t row = 0; row < lengths.size(); ++row) dropout.samples.push_back(3 + row);
    reference_->parameters().gradient().zero_();
    const Tensor expected = reference_->loss(batch, dropout);
    expected.backward();
    // Units close to 0 can be on different sides of ReLU in different precisions.
    const bool relu = *reference_->options().activation == FeedForward::relu;
    for (const auto dtype : {DType::fp32, DType::bf16}) {
      const double near = dtype == DType::fp32 ? (relu ? 4e-3 : 3e-5) : relu ? 1e-1 : 6e-2;
      const auto type = dtype == DType::fp32 ? "float32, " : "bf16, ";
      const auto expect = [&](double loss, const std::string& tier, const auto& gradient_of) {
        EXPECT_NEAR(loss, expected.item<double>(), (dtype == DType::fp32 ? 1e-5 : 1e-2) * expected.item<double>())
            << tier;
        for (const auto& [name, tensor] : reference_->parameters().items()) {
          // What methods learn gets sums over all pairs of tokens. Their terms nearly cancel, which bf16 cannot
          // resolve, and a shift of all scores has no gradient at all. So the error is relative to the method's whole
          // gradient.
          const std::string method = method_of(name);
          EXPECT_LT(
              difference(gradient_of(name), tensor.grad()) / (gradient_norm(method.empty() ? name : method) + 1e-12),
              !method.empty() && dtype == DType::bf16 ? 0.3 : near)
              << type << tier << name;
        }
      };
      if (!kernel_refusal(reference_->spec()).empty()) return;
      const auto fused = GetParam().decoder(torch::kFloat32, torch::kCUDA, AnyModel::heads_of_64);
      fused->use_kernels(dtype);
      const Tensor loss = fused->loss(batch, dropout);
      loss.backward();
      expect(loss.item<double>(), "fused, ", [&](const std::string& name) { return fused->parameters()[name].grad(); });
      if (!model_refusal(reference_->spec()).empty()) continue;
      const auto ours = Engine(*single_, dtype).gradient(batch, dropout);
      expect(ours.loss, "engine, ", [&](const std::string& name) {
        const Tensor& like = single_->parameters()[name];
        return ours.flat.narrow(0, like.storage_offset(), like.numel());
      });
    }
  }

  /// The norm of the reference's gradient of all parameters whose names begin with `prefix`.
  double gradient_norm(const std::string& prefix) const {
    double squares = 0;
    for (const auto& [name, tensor] : reference_->parameters().items()) {
      if (name.starts_with(prefix)) squares += std::pow(norm_of(tensor.grad()), 2);
    }
    return std::sqrt(squares);
  }

  std::unique_ptr<Decoder> reference_, single_;
};

TEST_P(EveryTier, ComputesTheReferenceOnAGpu) {
  expect_tiers({12, 2, 40, 65}, 0.1);
  expect_tiers({70, 130, 9}, 0.1);
}

TEST_P(EveryTier, PredictsWhatTheReferenceDoes) {
  if (const auto refusal = kernel_refusal(reference_->spec()); !refusal.empty()) GTEST_SKIP() << refusal;
  const auto fused = GetParam().decoder(torch::kFloat32, torch::kCUDA, AnyModel::heads_of_64);
  fused->use_kernels(DType::fp32);
  const Batch batch = rows_of({12, 2, 40, 65, 130}, reference_->spec().tracks());
  EXPECT_LT(distance(fused->losses(batch), reference_->losses(batch)), 1e-5);
  EXPECT_TRUE(torch::equal(fused->best(batch), reference_->best(batch)));
}

INSTANTIATE_TEST_SUITE_P(Gpu, EveryTier, testing::ValuesIn(every_model()), name_of);

}  // namespace
}  // namespace rfs
