// Single kernels against LibTorch in double precision on the CPU. Nothing here calls cuBLAS or LibTorch on the GPU, so
// `compute-sanitizer --tool racecheck torch_tests --gtest_filter='*Kernels*'` only checks kernels of this project.

#include <torch/csrc/autograd/autograd.h>

#include <cmath>

#include "kernels.h"
#include "rfs/core/options.h"
#include "rfs/ops/activation_launch.h"
#include "rfs/ops/attention.h"
#include "rfs/ops/attention_launch.h"
#include "rfs/ops/drop_launch.h"
#include "rfs/ops/hopper_attention.h"
#include "rfs/ops/loss_launch.h"
#include "rfs/ops/norm_launch.h"
#include "rfs/ops/query_scale_launch.h"
#include "rfs/ops/rotate_launch.h"

namespace rfs {
namespace {

using namespace kernels_test;

bool is_hopper() {
  int major = 0;
  check_cuda(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0), "reading the GPU's version");
  return major == 9;
}

class LayerKernels : public Kernels {};

struct AttentionCase {
  std::vector<int64_t> lengths;
  int heads, width, pairs;
  bool slopes;
  float scale;
  double dropout;
  int kv_heads = 0, window = 0;  // 0 means: as many as heads; no window
  bool factors = false, bias = false;
};

/// Turns the bias of causal pairs, [H, R], into the layout of the kernels, [H, N, longest].
Tensor spread_pairs(const Tensor& bias_HR, const Rows& rows) {
  Tensor to = torch::zeros({bias_HR.size(0), rows.tokens, rows.longest}, torch::kFloat64);
  const CausalPairs pairs(rows.offsets);
  for (int64_t r = 0; r < pairs.query_R.size(0); ++r) {
    const int64_t query = pairs.query_R[r].item<int64_t>(), key = pairs.key_R[r].item<int64_t>();
    int64_t begin = 0;
    while (rows.offsets[begin + 1].item<int64_t>() <= query) ++begin;
    to.select(1, query).select(1, key - rows.offsets[begin].item<int64_t>()).copy_(bias_HR.select(1, r));
  }
  return to;
}

TEST_P(LayerKernels, Attention) {
  const std::vector<AttentionCase> cases = {
      {{5, 1, 47, 64}, 3, 64, 8, false, 1, 0.1},
      {{65, 130, 7}, 2, 64, 32, false, 0.125f, 0},
      {{200, 3}, 2, 64, 0, true, 0.125f, 0.3},
      {{33, 64}, 2, 64, 0, true, 0.125f, 0.1},
      {{23, 70}, 2, 32, 4, true, 1, 0.1},
      {{20}, 1, 128, 64, false, 0.1f, 0},
      {{5, 1, 47, 64}, 4, 64, 8, false, 0.125f, 0.1, 2},                  // grouped heads
      {{200, 3, 64}, 6, 64, 8, false, 0.125f, 0, 2},                      //
      {{23, 70}, 4, 24, 4, true, 1, 0.1, 1},                              //
      {{5, 1, 47, 64}, 2, 64, 8, false, 0.125f, 0.1, 0, 7},               // windows
      {{330, 3, 64}, 2, 64, 8, false, 0.125f, 0.1, 0, 100},               //
      {{200, 130}, 2, 64, 0, true, 0.125f, 0, 0, 64},                     //
      {{70, 9}, 2, 32, 4, false, 1, 0.1, 0, 5},                           //
      {{5, 1, 47, 64}, 2, 64, 8, false, 0.125f, 0.1, 0, 0, true},         // scaled queries
      {{200, 3}, 2, 64, 32, false, 0.125f, 0.1, 0, 0, true},              //
      {{70, 9}, 2, 16, 4, false, 0.2f, 0.1, 0, 0, true},                  //
      {{5, 1, 47, 64}, 2, 64, 8, false, 0.125f, 0.1, 0, 0, false, true},  // a bias
      {{150, 3}, 2, 64, 0, true, 0.125f, 0.1, 0, 0, false, true},         //
      {{70, 9}, 2, 32, 4, false, 0.2f, 0.1, 0, 0, false, true},           //
      {{150, 47, 3}, 4, 64, 8, true, 0.125f, 0.1, 2, 70, true, true},     // everything
      {{70, 9}, 4, 32, 4, true, 0.2f, 0.1, 2, 20, true, true},
      {{300, 1, 513, 64}, 2, 64, 8, false, 0.125f, 0},           // Hopper's kernels support these
      {{300, 129}, 4, 64, 32, false, 0.125f, 0, 2},              //
      {{400, 3, 65}, 2, 64, 8, false, 0.125f, 0, 0, 100, true},  //
      {{130, 700}, 2, 64, 0, false, 0.125f, 0, 0, 0, true},      //
      {{300, 1, 200}, 2, 128, 64, false, 0.1f, 0},               //
      {{150, 260}, 4, 128, 16, false, 0.1f, 0, 1, 33, true}};
  for (const AttentionCase& c : cases) {
    const Rows rows(c.lengths, c.dropout);
    const int64_t inner = c.heads * c.width, kv_heads = c.kv_heads ? c.kv_heads : c.heads;
    std::vector<double> frequencies, slopes;
    for (int k = 0; k < c.pairs; ++k) frequencies.push_back(std::pow(0.7, k));
    for (int h = 0; h < c.heads; ++h) slopes.push_back(std::exp2(-h));
    AttentionPlan plan;
    plan.offsets = rows.offsets;
    plan.positions_N = rows.positions;
    plan.rotation = rotation(rows.positions, frequencies, torch::kFloat64);
    if (c.slopes) plan.slopes_H = torch::tensor(slopes, torch::kFloat64);
    plan.layout = {c.heads, kv_heads, c.width};
    plan.window = c.window;
    plan.scale = c.scale;
    plan.dropout = rows.dropout;
    const int64_t whole = plan.layout.width();
    Tensor qkv = rounded(0.5 * random({rows.tokens, whole}, 1), dtype()).requires_grad_();
    Tensor factors = (1 + 0.3 * random({rows.tokens, c.heads}, 7)).requires_grad_(), bias;
    if (c.bias) bias = random({c.heads, CausalPairs::begins(rows.offsets).back()}, 8).requires_grad_();
    Tensor scaled = qkv;
    if (c.factors) {
      const Tensor q = qkv.narrow(1, 0, inner).view({-1, c.heads, c.width}) * factors.unsqueeze(2);
      scaled = torch::cat({q.view({-1, inner}), qkv.narrow(1, inner, whole - inner)}, 1);
    }
    const Tensor upstream = rounded(random({rows.tokens, inner}, 2), dtype());
    const Tensor expected = attention(scaled, plan, 9, Backend::reference, bias);
    expected.backward(upstream);

    const Rotation angles = rotation(rows.positions, frequencies, torch::kFloat32);
    DeviceMemory cos, sin, device_bias, d_bias;
    if (c.pairs > 0) cos = put(angles.cos_NP, torch::kFloat32), sin = put(angles.sin_NP, torch::kFloat32);
    if (c.bias) {
      device_bias = put(spread_pairs(bias.detach(), rows), torch::kFloat32);
      d_bias = put(torch::zeros({c.heads, rows.tokens, rows.longest}), torch::kFloat32);
    }
    const auto device_slopes = put(torch::tensor(slopes, torch::kFloat64), torch::kFloat32);
    const auto device_factors = put(factors, torch::kFloat32), d_factors = put(factors * 0, torch::kFloat32);
    const auto device_qkv = put(qkv, dtype()), d_out = put(upstream, dtype());
    const auto out = put(torch::zeros({rows.tokens, inner}), dtype()), d_qkv = put(torch::zeros_like(qkv), dtype());
    const auto d_heads = put(torch::zeros({rows.tokens, 2 * inner}), dtype());
    const auto log_sum = device_array<float>(static_cast<size_t>(rows.tokens * c.heads));
    const auto kept = device_array<uint16_t>(static_cast<size_t>(rows.tokens * c.heads * 4));
    DeviceAttention a;
    a.rows = rows.view();
    a.rows.cos = cos.as<float>();
    a.rows.sin = sin.as<float>();
    a.rows.pairs = c.pairs;
    a.dropout = rows.dropout.on_device();
    a.site = 9;
    a.dtype = dtype();
    a.heads = c.heads;
    a.kv_heads = static_cast<int>(kv_heads);
    a.width = c.width;
    a.window = c.window;
    a.scale = c.scale;
    a.slopes = c.slopes ? device_slopes.as<float>() : nullptr;
    a.query_scale.factors = c.factors ? device_factors.as<float>() : nullptr;
    a.bias = c.bias ? device_bias.as<float>() : nullptr;
    a.qkv = device_qkv.as<void>();
    a.out = out.as<void>();
    a.log_sum = log_sum.as<float>();
    a.kept = kept.as<uint16_t>();
    const auto inner_products = device_array<float>(static_cast<size_t>(rows.tokens * c.heads));
    const AttentionGradient to = {d_out.as<void>(),   d_qkv.as<void>(),   d_factors.as<float>(),
                                  d_bias.as<float>(), d_heads.as<void>(), inner_products.as<float>()};
    attention_forward(a, nullptr);
    attention_backward(a, to, nullptr);
    const auto case_name = "rows of up to " + std::to_string(rows.longest) + ", width " + std::to_string(c.width) +
                           ", kv heads " + std::to_string(kv_heads) + ", window " + std::to_string(c.window) +
                           (c.factors ? ", scaled" : "") + (c.bias ? ", bias" : "");
    const auto compare = [&](const std::string& what) {
      expect_near(get(out, {rows.tokens, inner}, dtype()), expected.detach(), near(), what);
      expect_near(get(d_qkv, {rows.tokens, whole}, dtype()), qkv.grad(), 3 * near(), what + ", gradient");
      if (c.factors) {
        expect_near(get(d_factors, {rows.tokens, c.heads}, torch::kFloat32), factors.grad(), 3 * near(),
                    what + ", gradient of the factors");
      }
      if (c.bias) {
        expect_near(get(d_bias, {c.heads, rows.tokens, rows.longest}, torch::kFloat32), spread_pairs(bias.grad(), rows),
                    3 * near(), what + ", gradient of the bias");
      }
    };
    compare(case_name);
    const bool within =
        dtype() == DType::bf16 && (a.width == 64 || a.width == 128) && !a.slopes && !a.bias && a.dropout.threshold == 0;
    EXPECT_EQ(hopper_fits(a), within && is_hopper()) << case_name;
    if (!hopper_fits(a)) continue;
    rotate_queries_and_keys(a.rows, {a.heads, a.kv_heads, a.width}, device_qkv.as<void>(), nullptr);
    for (const auto* memory : {&out, &d_qkv, &d_factors, &log_sum}) {
      check_cuda(cudaMemset(memory->as<void>(), 0xff, memory->bytes()), "clearing");  // NaN
    }
    hopper_forward(a, nullptr);
    hopper_backward(a, to, nullptr);
    compare(case_name + ", Hopper");
  }
}

TEST_P(LayerKernels, QueryScale) {
  const Rows rows({9, 1, 40, 70}, 0);
  const int64_t heads = 3, stride = 80;
  const Tensor terms = random({2, stride}, 1), d = random({rows.tokens, heads}, 3);
  std::vector<int64_t> keys;
  for (const int64_t length : {9, 1, 40, 70}) {
    for (int64_t i = 1; i <= length; ++i) keys.push_back(i);
  }
  const auto terms_ = put(terms, torch::kFloat32), d_ = put(d, torch::kFloat32);
  const auto gradients = put(torch::zeros({2, heads}), dtype());
  const size_t row = static_cast<size_t>(heads) * (dtype() == DType::bf16 ? 2 : 4);
  const auto tensors = device_copy(
      std::vector<ScaleGradient>{{d_.as<float>(), terms_.as<float>(), gradients.as<char>()},
                                 {d_.as<float>(), terms_.as<float>() + stride, gradients.as<char>() + row}});
  scale_gradients(dtype(), tensors.as<ScaleGradient>(), 2, rows.view(), static_cast<int>(heads), nullptr);
  const Tensor terms_KN = terms.index_select(1, torch::tensor(keys, torch::kInt64));
  expect_near(get(gradients, {2, heads}, dtype()), terms_KN.matmul(d), near(), "gradients");
}

TEST_P(LayerKernels, DropAndAdd) {
  for (const double rate : {0.0, 0.3}) {
    const Rows rows({17, 1, 40}, rate);
    const int64_t N = rows.tokens, D = 72;
    const Tensor x = rounded(random({N, D}, 1), dtype()),
                 base = random({N, D}, 2).to(torch::kFloat32).to(torch::kFloat64);
    const Tensor dropped = drop(x, rows.offsets, rows.dropout, 5);
    const auto x_ = put(x, dtype()), base_ = put(base, torch::kFloat32);
    const auto sum = put(torch::zeros({N, D}), torch::kFloat32), same = put(torch::zeros({N, D}), dtype());
    Drop a{rows.view(),
           rows.dropout.on_device(),
           5,
           dtype(),
           DType::fp32,
           static_cast<int>(D),
           x_.as<void>(),
           base_.as<float>(),
           sum.as<void>()};
    drop_elements(a, nullptr);
    a.base = nullptr;
    a.to = dtype();
    a.y = same.as<void>();
    drop_elements(a, nullptr);
    expect_near(get(sum, {N, D}, torch::kFloat32), base + dropped, 1e-6, "sum");
    expect_near(get(same, {N, D}, dtype()), dropped, near(), "dropped");
  }
}

TEST_P(LayerKernels, Norm) {
  struct Case {
    bool shift;
    int64_t width;
    DType stream;
  };
  std::vector<Case> cases;
  for (const bool shift : {false, true}) {
    for (const int64_t width : {64, 768, 2048, 3072}) {
      cases.push_back({shift, width, DType::fp32});
      if (dtype() == DType::bf16) cases.push_back({shift, width, DType::bf16});
    }
  }
  for (const auto& [shift, width, stream] : cases) {
    const Rows rows({17, 1, 40}, 0.2);
    const int64_t N = rows.tokens;
    Tensor x = rounded(random({N, width}, 1), stream).requires_grad_();
    Tensor branch = rounded(random({N, width}, 2), dtype()).requires_grad_();
    Tensor w = random({width}, 3).to(torch::kFloat32).to(torch::kFloat64).requires_grad_();
    Tensor b = random({width}, 4).to(torch::kFloat32).to(torch::kFloat64).requires_grad_();
    const Tensor d_y = rounded(random({N, width}, 5), dtype());
    const Tensor d_past = rounded(random({N, width}, 6), stream);
    const Tensor sum = x + drop(branch, rows.offsets, rows.dropout, 5);
    const Tensor centred = shift ? sum - sum.mean(1, true) : sum;
    Tensor normed = centred / (centred * centred).mean(1, true).add(1e-5).sqrt() * w;
    if (shift) normed = normed + b;
    const Tensor y = 0.5 * drop(normed, rows.offsets, rows.dropout, 7);
    ((y * d_y).sum() + (sum * d_past).sum()).backward();

    const auto floats = [&](const Tensor& t) { return put(t, torch::kFloat32); };
    const auto empty = [&] { return device_array<float>(static_cast<size_t>(N * width)); };
    const auto x_ = put(x, stream), past_ = put(d_past, stream), w_ = floats(w), b_ = floats(b);
    const auto branch_ = put(branch, dtype());
    const auto d_y_ = put(d_y, dtype()), y_ = empty(), sum_ = empty(), mean_ = empty(), inverse_ = empty();
    const auto kept = device_array<uint8_t>(static_cast<size_t>(N * width / 8));
    NormForward f;
    f.rows = rows.view();
    f.dropout = rows.dropout.on_device();
    f.dtype = dtype();
    f.count = static_cast<int>(N);
    f.width = static_cast<int>(width);
    f.x = x_.as<void>();
    f.stream = stream;
    f.branch = branch_.as<void>();
    f.branch_site = 5;
    f.branch_kept = kept.as<uint8_t>();
    f.weight = w_.as<float>();
    f.bias = shift ? b_.as<float>() : nullptr;
    f.epsilon = 1e-5f;
    f.scale = 0.5f;
    f.output_site = 7;
    f.sum = sum_.as<void>();
    f.mean = mean_.as<float>();
    f.inverse = inverse_.as<float>();
    f.y = y_.as<void>();
    norm_forward(f, nullptr);
    expect_near(get(y_, {N, width}, dtype()), y.detach(), near(), "y");
    expect_near(get(sum_, {N, width}, stream), sum.detach(), stream == DType::fp32 ? 1e-6 : near(), "sum");

    const int blocks = norm_blocks(f.count), parts = shift ? 2 : 1;
    const auto partial = device_array<float>(static_cast<size_t>(blocks * parts * width));
    const auto d_stream = empty(), d_branch = empty(), d_w = empty(), d_b = empty();
    NormBackward g;
    g.rows = f.rows;
    g.dropout = f.dropout;
    g.dtype = dtype();
    g.stream = stream;
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
    g.d_past = past_.as<void>();
    g.d_stream = d_stream.as<void>();
    g.d_branch = d_branch.as<void>();
    g.branch_kept = f.branch_kept;
    g.partial = partial.as<float>();
    norm_backward(g, nullptr);
    const auto stride = static_cast<int32_t>(parts * width), columns = static_cast<int32_t>(width);
    std::vector<PartialSums> sets{{g.partial, d_w.as<void>(), blocks, stride, columns}};
    if (shift) sets.push_back({g.partial + width, d_b.as<void>(), blocks, stride, columns});
    const auto device_sets = device_copy(sets);
    add_partial_sums(dtype(), device_sets.as<PartialSums>(), static_cast<int>(sets.size()), f.width, nullptr);
    expect_near(get(d_stream, {N, width}, stream), x.grad(), near(), "d_stream");
    expect_near(get(d_branch, {N, width}, dtype()), branch.grad(), near(), "d_branch");
    expect_near(get(d_w, {width}, dtype()), w.grad(), near(), "d_weight");
    if (shift) expect_near(get(d_b, {width}, dtype()), b.grad(), near(), "d_bias");
  }
}

TEST_P(LayerKernels, ActivationWithDropout) {
  const auto reference = [](FeedForward kind, const Tensor& u, int64_t F) -> Tensor {
    switch (kind) {
      case FeedForward::relu:
        return torch::relu(u);
      case FeedForward::gelu:
        return torch::gelu(u, "tanh");
      case FeedForward::swiglu:
        return torch::silu(u.narrow(1, 0, F)) * u.narrow(1, F, F);
      case FeedForward::geglu:
        return torch::gelu(u.narrow(1, 0, F), "tanh") * u.narrow(1, F, F);
      case FeedForward::gelu_erf:
        return torch::gelu(u);  // not in the kernels
    }
    return {};
  };
  for (const auto kind : {FeedForward::relu, FeedForward::gelu, FeedForward::swiglu, FeedForward::geglu}) {
    for (const int64_t F : {8, 256, 520, 4360}) {  // rows shorter and longer than a thread block
      const Rows rows({9, 30}, 0.25);
      const int64_t N = rows.tokens, wide = is_gated(kind) ? 2 * F : F;
      Tensor u = rounded(random({N, wide}, 1), dtype()).requires_grad_();
      const Tensor d = rounded(random({N, F}, 2), dtype());
      const Tensor h = drop(reference(kind, u, F), rows.offsets, rows.dropout, 4);
      h.backward(d);
      const auto u_ = put(u, dtype()), h_ = put(torch::zeros({N, F}), dtype()), d_ = put(d, dtype());
      const auto d_u = put(torch::zeros({N, wide}), dtype());
      Activation a;
      a.rows = rows.view();
      a.dropout = rows.dropout.on_device();
      a.site = 4;
      a.dtype = dtype();
      a.count = static_cast<int>(N);
      a.width = static_cast<int>(F);
      a.kind = kind;
      a.u = u_.as<void>();
      a.h = kind == FeedForward::relu ? u_.as<void>() : h_.as<void>();
      activation_forward(a, nullptr);
      activation_backward(a, d_.as<void>(), is_gated(kind) ? d_u.as<void>() : d_.as<void>(), nullptr);
      const std::string what(enum_name(kind));
      expect_near(get(kind == FeedForward::relu ? u_ : h_, {N, F}, dtype()), h.detach(), near(), "h, " + what);
      expect_near(get(is_gated(kind) ? d_u : d_, {N, wide}, dtype()), u.grad(), near(), "d_u, " + what);
    }
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
