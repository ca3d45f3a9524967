// Each kernel alone against LibTorch in double on the CPU. Nothing here calls cuBLAS or LibTorch on the GPU, so that
// `compute-sanitizer --tool racecheck torch_tests --gtest_filter='*Kernels*'` looks at our kernels and nothing else.

#include <torch/csrc/autograd/autograd.h>

#include <cmath>

#include "kernels.h"
#include "rfs/ops/activation_launch.h"
#include "rfs/ops/attention.h"
#include "rfs/ops/attention_launch.h"
#include "rfs/ops/loss_launch.h"
#include "rfs/ops/norm_launch.h"

namespace rfs {
namespace {

using namespace kernels_test;

class LayerKernels : public Kernels {};

TEST_P(LayerKernels, Attention) {
  struct Case {
    std::vector<int64_t> lengths;
    int heads, width, pairs;
    bool slopes;
    float scale;
    double dropout;
  };
  for (const Case& c : {Case{{5, 1, 47, 64}, 3, 64, 8, false, 1, 0.1}, Case{{65, 130, 7}, 2, 64, 32, false, 0.125f, 0},
                        Case{{200, 3}, 2, 64, 0, true, 0.125f, 0.3}, Case{{33, 64}, 2, 64, 0, true, 0.125f, 0.1},
                        Case{{23, 70}, 2, 32, 4, true, 1, 0.1}, Case{{20}, 1, 128, 64, false, 0.1f, 0}}) {
    const Rows rows(c.lengths, c.dropout);
    const int64_t inner = c.heads * c.width;
    std::vector<double> frequencies, slopes;
    for (int k = 0; k < c.pairs; ++k) frequencies.push_back(std::pow(0.7, k));
    for (int h = 0; h < c.heads; ++h) slopes.push_back(std::exp2(-h));
    AttentionPlan plan;
    plan.offsets = rows.offsets;
    plan.positions_N = rows.positions;
    plan.rotation = rotation(rows.positions, frequencies, torch::kFloat64);
    if (c.slopes) plan.slopes_H = torch::tensor(slopes, torch::kFloat64);
    plan.layout = {c.heads, c.heads, c.width};
    plan.scale = c.scale;
    plan.dropout = rows.dropout;
    Tensor qkv = rounded(0.5 * random({rows.tokens, 3 * inner}, 1), dtype()).requires_grad_();
    const Tensor upstream = rounded(random({rows.tokens, inner}, 2), dtype());
    const Tensor expected = attention(qkv, plan, 9, Backend::reference);
    expected.backward(upstream);

    const Rotation turn = rotation(rows.positions, frequencies, torch::kFloat32);
    DeviceMemory cos, sin;
    if (c.pairs > 0) cos = put(turn.cos_NP, torch::kFloat32), sin = put(turn.sin_NP, torch::kFloat32);
    const auto device_slopes = put(torch::tensor(slopes, torch::kFloat64), torch::kFloat32);
    const auto device_qkv = put(qkv, dtype()), d_out = put(upstream, dtype());
    const auto out = put(torch::zeros({rows.tokens, inner}), dtype()), d_qkv = put(torch::zeros_like(qkv), dtype());
    const auto log_sum = device_array<float>(static_cast<size_t>(rows.tokens * c.heads));
    const auto kept = device_array<uint16_t>(static_cast<size_t>(rows.tokens * c.heads * 4));
    DeviceAttention a;
    a.rows = rows.view();
    a.rows.cos = cos.as<float>();
    a.rows.sin = sin.as<float>();
    a.rows.pairs = c.pairs;
    a.dropout = device_dropout(rows.dropout);
    a.site = 9;
    a.dtype = dtype();
    a.heads = c.heads;
    a.width = c.width;
    a.scale = c.scale;
    a.slopes = c.slopes ? device_slopes.as<float>() : nullptr;
    a.qkv = device_qkv.as<void>();
    a.out = out.as<void>();
    a.log_sum = log_sum.as<float>();
    a.kept = kept.as<uint16_t>();
    attention_forward(a, nullptr);
    attention_backward(a, d_out.as<void>(), d_qkv.as<void>(), nullptr);
    const auto what = "rows of up to " + std::to_string(rows.longest) + ", width " + std::to_string(c.width);
    expect_near(get(out, {rows.tokens, inner}, dtype()), expected.detach(), near(), what);
    expect_near(get(d_qkv, {rows.tokens, 3 * inner}, dtype()), qkv.grad(), 3 * near(), what + ", gradient");
  }
}

TEST_P(LayerKernels, Norm) {
  for (const bool shift : {false, true}) {
    for (const int64_t width : {64, 768, 2048}) {
      const Rows rows({17, 1, 40}, 0.2);
      const int64_t N = rows.tokens;
      Tensor x = random({N, width}, 1).to(torch::kFloat32).to(torch::kFloat64).requires_grad_();
      Tensor branch = rounded(random({N, width}, 2), dtype()).requires_grad_();
      Tensor w = random({width}, 3).to(torch::kFloat32).to(torch::kFloat64).requires_grad_();
      Tensor b = random({width}, 4).to(torch::kFloat32).to(torch::kFloat64).requires_grad_();
      const Tensor d_y = rounded(random({N, width}, 5), dtype());
      const Tensor d_past = random({N, width}, 6).to(torch::kFloat32).to(torch::kFloat64);
      const Tensor sum = x + drop(branch, rows.offsets, rows.dropout, 5);
      const Tensor centred = shift ? sum - sum.mean(1, true) : sum;
      Tensor normed = centred / (centred * centred).mean(1, true).add(1e-5).sqrt() * w;
      if (shift) normed = normed + b;
      const Tensor y = 0.5 * drop(normed, rows.offsets, rows.dropout, 7);
      ((y * d_y).sum() + (sum * d_past).sum()).backward();

      const auto floats = [&](const Tensor& t) { return put(t, torch::kFloat32); };
      const auto empty = [&] { return device_array<float>(static_cast<size_t>(N * width)); };
      const auto x_ = floats(x), w_ = floats(w), b_ = floats(b), past_ = floats(d_past), branch_ = put(branch, dtype());
      const auto d_y_ = put(d_y, dtype()), y_ = empty(), sum_ = empty(), mean_ = empty(), inverse_ = empty();
      const auto kept = device_array<uint8_t>(static_cast<size_t>(N * width / 8));
      NormForward f;
      f.rows = rows.view();
      f.dropout = device_dropout(rows.dropout);
      f.dtype = dtype();
      f.count = static_cast<int>(N);
      f.width = static_cast<int>(width);
      f.x = x_.as<float>();
      f.branch = branch_.as<void>();
      f.branch_site = 5;
      f.branch_kept = kept.as<uint8_t>();
      f.weight = w_.as<float>();
      f.bias = shift ? b_.as<float>() : nullptr;
      f.epsilon = 1e-5f;
      f.scale = 0.5f;
      f.output_site = 7;
      f.sum = sum_.as<float>();
      f.mean = mean_.as<float>();
      f.inverse = inverse_.as<float>();
      f.y = y_.as<void>();
      norm_forward(f, nullptr);
      expect_near(get(y_, {N, width}, dtype()), y.detach(), near(), "y");
      expect_near(get(sum_, {N, width}, torch::kFloat32), sum.detach(), 1e-6, "sum");

      const int blocks = norm_blocks(f.count), parts = shift ? 2 : 1;
      const auto partial = device_array<float>(static_cast<size_t>(blocks * parts * width));
      const auto d_stream = empty(), d_branch = empty(), d_w = empty(), d_b = empty();
      NormBackward g;
      g.rows = f.rows;
      g.dropout = f.dropout;
      g.dtype = dtype();
      g.count = f.count;
      g.width = f.width;
      g.sum = f.sum;
      g.mean = f.mean;
      g.inverse = f.inverse;
      g.weight = f.weight;
      g.d_y = d_y_.as<void>();
      g.scale = f.scale;
      g.output_site = f.output_site;
      g.shift = shift;
      g.d_past = past_.as<float>();
      g.d_stream = d_stream.as<float>();
      g.d_branch = d_branch.as<void>();
      g.branch_kept = f.branch_kept;
      g.partial = partial.as<float>();
      norm_backward(g, nullptr);
      const auto stride = static_cast<int32_t>(parts * width), columns = static_cast<int32_t>(width);
      std::vector<PartialSums> sets{{g.partial, d_w.as<void>(), blocks, stride, columns}};
      if (shift) sets.push_back({g.partial + width, d_b.as<void>(), blocks, stride, columns});
      const auto device_sets = device_copy(sets);
      add_partial_sums(dtype(), device_sets.as<PartialSums>(), static_cast<int>(sets.size()), f.width, nullptr);
      expect_near(get(d_stream, {N, width}, torch::kFloat32), x.grad(), near(), "d_stream");
      expect_near(get(d_branch, {N, width}, dtype()), branch.grad(), near(), "d_branch");
      expect_near(get(d_w, {width}, dtype()), w.grad(), near(), "d_weight");
      if (shift) expect_near(get(d_b, {width}, dtype()), b.grad(), near(), "d_bias");
    }
  }
}

TEST_P(LayerKernels, ActivationWithDropout) {
  // Rows shorter than a block, and longer than one.
  for (const auto& [gelu, F] : std::vector<std::pair<bool, int64_t>>{
           {false, 256}, {true, 256}, {false, 8}, {true, 520}, {false, 4360}, {true, 4360}}) {
    const Rows rows({9, 30}, 0.25);
    const int64_t N = rows.tokens;
    Tensor u = rounded(random({N, F}, 1), dtype()).requires_grad_();
    const Tensor d = rounded(random({N, F}, 2), dtype());
    const Tensor h = drop(gelu ? torch::gelu(u, "tanh") : torch::relu(u), rows.offsets, rows.dropout, 4);
    h.backward(d);
    const auto u_ = put(u, dtype()), h_ = put(torch::zeros({N, F}), dtype()), d_ = put(d, dtype());
    Activation a;
    a.rows = rows.view();
    a.dropout = device_dropout(rows.dropout);
    a.site = 4;
    a.dtype = dtype();
    a.count = static_cast<int>(N);
    a.width = static_cast<int>(F);
    a.gelu = gelu;
    a.u = u_.as<void>();
    a.h = gelu ? h_.as<void>() : u_.as<void>();
    activation_forward(a, nullptr);
    activation_backward(a, d_.as<void>(), nullptr);
    expect_near(get(gelu ? h_ : u_, {N, F}, dtype()), h.detach(), near(), "h");
    expect_near(get(d_, {N, F}, dtype()), u.grad(), near(), "d_u");
  }
}

TEST_P(LayerKernels, LossAndItsGradient) {
  for (const int V : {300, 32'128, 50'257}) {
    const int stride = (V + 63) / 64 * 64;
    const std::vector<int32_t> labels{3, -1, V - 1, 17};
    Tensor logits = rounded(3 * random({4, stride}, 1), dtype()).requires_grad_();
    const Tensor shares = torch::log_softmax(logits.narrow(1, 0, V), 1);
    std::vector<double> expected(4);
    Tensor sum = torch::zeros({}, torch::kFloat64);
    for (int64_t m : {0, 2, 3}) {
      const Tensor loss = -shares[m][labels[static_cast<size_t>(m)]];
      expected[static_cast<size_t>(m)] = loss.item<double>();
      sum = sum + loss / 3;
    }
    sum.backward();
    const auto device = put(logits, dtype()), loss = device_array<float>(4);
    const auto device_labels = device_copy(labels), targets = device_copy(std::vector<int32_t>{3});
    const auto floats = put(logits, torch::kFloat32);
    const auto best = device_array<int32_t>(4);
    loss_and_gradient(dtype(), device.as<void>(), device_labels.as<int32_t>(), targets.as<int32_t>(), 4, V, stride,
                      loss.as<float>(), nullptr);
    largest(floats.as<float>(), 4, V, stride, best.as<int32_t>(), nullptr);
    expect_near(get(loss, {4}, torch::kFloat32), torch::tensor(expected, torch::kFloat64), 1e-5, "loss");
    expect_near(get(device, {4, stride}, dtype()), logits.grad(), near(), "gradient");
    EXPECT_TRUE(torch::equal(get(best, {4}, torch::kInt32).to(torch::kInt64), logits.narrow(1, 0, V).argmax(1)));
  }
}

INSTANTIATE_TEST_SUITE_P(All, LayerKernels, testing::Values(DType::fp32, DType::bf16),
                         [](const auto& one) { return one.param == DType::bf16 ? "bf16" : "fp32"; });

}  // namespace
}  // namespace rfs
