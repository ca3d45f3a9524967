// The other kernels, as in layer_kernels_cuda_test.cpp: batches, embedding, update.

#include <cmath>

#include "kernels.h"
#include "rfs/core/registry.h"
#include "rfs/ops/adamw_launch.h"
#include "rfs/ops/batch_launch.h"
#include "rfs/ops/columns_launch.h"
#include "rfs/ops/embedding_launch.h"
#include "rfs/ops/rotary.h"
#include "rfs/ops/rotate_launch.h"
#include "rfs/ops/rows_launch.h"
#include "rfs/positions/indexing.h"
#include "rfs/tasks/examples.h"
#include "rfs/train/order.h"

namespace rfs {
namespace {

using namespace kernels_test;

class StepKernels : public Kernels {};

DeviceMemory order_memory(int64_t tokens, int64_t vocabulary) {
  size_t bytes = 0;
  check_cuda(token_order_bytes(static_cast<int>(tokens), static_cast<int>(vocabulary), bytes), "sorting tokens");
  return DeviceMemory(bytes);
}

TEST_P(StepKernels, EmbeddingAndAngles) {
  const Rows rows({12, 40}, 0.1);
  const int64_t N = rows.tokens, V = 11, D = 64;
  std::vector<int32_t> ids;
  for (int64_t i = 0; i < N; ++i) ids.push_back(static_cast<int32_t>(i < 5 ? i : (i * i + 3) % V));
  std::vector<double> frequencies;
  for (int64_t k = 0; k < D / 2; ++k) frequencies.push_back(std::pow(0.8, static_cast<double>(k)));
  const Tensor table = random({V, D}, 1).to(torch::kFloat32).to(torch::kFloat64);
  const Tensor angle = rows.positions.to(torch::kFloat64).outer(torch::tensor(frequencies, torch::kFloat64));
  const Tensor sinusoids = torch::stack({angle.sin(), angle.cos()}, 2).reshape({N, D});
  const Tensor chosen = torch::tensor(ids, torch::kInt64);
  const auto weights = put(table, torch::kFloat32), device_ids = device_copy(ids),
             sinusoids_ = device_copy(frequencies);
  const auto x = device_array<float>(static_cast<size_t>(N * D));
  Update none;
  none.flat.weights = weights.as<float>();
  const struct Embedding a {
    rows.view(), rows.dropout.on_device(), 3, static_cast<int>(D), device_ids.as<int32_t>(), sinusoids_.as<double>()
  };
  embedding_forward(a, none, 0, DType::fp32, x.as<void>(), nullptr);
  const Tensor expected = drop(table.index_select(0, chosen) + sinusoids, rows.offsets, rows.dropout, 3);
  expect_near(get(x, {N, D}, torch::kFloat32), expected, 1e-6, "x");
  embedding_forward(a, none, 0, DType::bf16, x.as<void>(), nullptr);
  expect_near(get(x, {N, D}, torch::kBFloat16), expected, 4e-3, "x in bf16");

  const DeviceMemory order = order_memory(N, V);
  const auto sorted =
      order_tokens(device_ids.as<int32_t>(), static_cast<int>(N), static_cast<int>(V), order.as<void>(), nullptr);
  EXPECT_EQ(sorted, cudaSuccess);
  for (const int64_t width : {8, 64, 512, 768, 1024, 2048, 3072}) {
    const Tensor d_x = random({N, width}, 2).to(torch::kFloat32).to(torch::kFloat64);
    const Tensor before = rounded(random({V, width}, 3), dtype());
    for (const DType type : {DType::fp32, DType::bf16}) {
      const Tensor given = rounded(d_x, type);
      const auto d_weights = put(before, dtype()), d_x_ = put(given, type);
      embedding_backward(dtype(), order.as<void>(), static_cast<int>(N), static_cast<int>(width), type, d_x_.as<void>(),
                         d_weights.as<void>(), nullptr);
      expect_near(get(d_weights, {V, width}, dtype()), before.index_add(0, chosen, given), near(), "d_weights");
    }
  }

  const auto cos = device_array<float>(static_cast<size_t>(N * D / 2)), sin = device_array<float>(cos.bytes() / 4);
  angles(rows.device_positions.as<float>(), static_cast<int>(N), sinusoids_.as<double>(), static_cast<int>(D / 2),
         cos.as<float>(), sin.as<float>(), nullptr);
  expect_near(get(cos, {N, D / 2}, torch::kFloat32), angle.cos(), 1e-6, "cos");
  expect_near(get(sin, {N, D / 2}, torch::kFloat32), angle.sin(), 1e-6, "sin");
}

TEST_P(StepKernels, AdamW) {
  const int64_t size = 40'000, decayed = 32'000;
  const Tensor w = random({size}, 1).to(torch::kFloat32).to(torch::kFloat64), m = 0.1 * random({size}, 2);
  const Tensor v = random({size}, 3).square(), g = rounded(random({size}, 4), dtype());
  const auto weights = put(w, torch::kFloat32), first = put(m, torch::kFloat32), second = put(v, torch::kFloat32);
  const auto gradient = put(g, dtype()), low = put(torch::zeros({size}), torch::kBFloat16);
  const auto squares = device_array<float>(square_blocks),
             losses = put(torch::tensor({2.0, 0.0, 4.0}), torch::kFloat32);
  const auto ring = device_array<UpdateLine>(ring_size);
  UpdateState state{};
  state.updates = 4;
  state.targets = 2;
  state.finite = 1;
  const auto device_state = device_copy(std::vector<UpdateState>{state});
  const UpdateOptions o{1e-2, 0.05, 0.9, 0.999, 1e-8, 1.0, 10, 100};
  const Update update{o,
                      device_state.as<UpdateState>(),
                      {size, decayed, dtype(), gradient.as<void>(), weights.as<float>(), first.as<float>(),
                       second.as<float>(), low.as<void>()}};
  adamw(update, 0, size, 3, nullptr);  // does nothing: no update is pending
  expect_near(get(weights, {size}, torch::kFloat32), w, 0, "weights before");
  sum_squares(dtype(), gradient.as<void>(), size, squares.as<float>(), nullptr);
  finish_gradient(o, losses.as<float>(), 3, squares.as<float>(), square_blocks, device_state.as<UpdateState>(),
                  ring.as<UpdateLine>(), nullptr);
  const int64_t D = 80, V = 100;  // the embedding gives rows of this table as they are after the pending update
  const Rows rows({7}, 0);
  const std::vector<int32_t> ids{3, 99, 0, 3, 50, 1, 2};
  const auto device_ids = device_copy(ids), x = device_array<float>(static_cast<size_t>(7 * D));
  embedding_forward({rows.view(), {}, 0, static_cast<int>(D), device_ids.as<int32_t>(), nullptr}, update, 8000,
                    DType::fp32, x.as<void>(), nullptr);
  const Tensor early = get(x, {7, D}, torch::kFloat32);
  adamw(update, 8000, 8000 + V * D, 2, nullptr);
  adamw(update, 0, 8000, 200, nullptr);
  adamw(update, 8000 + V * D, size, 3, nullptr);

  const double norm = g.norm().item<double>(), rate = 1e-2 * 5 / 10;
  const Tensor clipped = g * std::min(1.0, 1.0 / (norm + 1e-6));
  const Tensor m1 = 0.9 * m + 0.1 * clipped, v1 = 0.999 * v + 0.001 * clipped.square();
  Tensor w1 = w.clone();
  w1.narrow(0, 0, decayed).mul_(1 - rate * 0.05);
  w1 -= rate * (m1 / (1 - std::pow(0.9, 5))) / ((v1 / (1 - std::pow(0.999, 5))).sqrt() + 1e-8);
  const Tensor now = get(weights, {size}, torch::kFloat32);
  expect_near(now, w1, 1e-6, "weights");
  expect_near(get(first, {size}, torch::kFloat32), m1, 1e-6, "first");
  expect_near(get(second, {size}, torch::kFloat32), v1, 1e-6, "second");
  EXPECT_TRUE(torch::equal(get(low, {size}, torch::kBFloat16), rounded(now, DType::bf16)));
  const Tensor table = now.narrow(0, 8000, V * D).reshape({V, D});
  EXPECT_TRUE(torch::equal(early, table.index_select(0, torch::tensor(ids, torch::kInt64))));
  const auto lines = get(ring, {ring_size * static_cast<int64_t>(sizeof(UpdateLine) / 4)}, torch::kFloat32);
  const int64_t at = 4 * static_cast<int64_t>(sizeof(UpdateLine) / 4);
  EXPECT_NEAR(lines[at].item<double>(), 3, 1e-6);
  EXPECT_NEAR(lines[at + 1].item<double>(), norm, 1e-4 * norm);
  EXPECT_NEAR(lines[at + 2].item<double>(), rate, 1e-8);
}

TEST_P(StepKernels, Sums) {
  const int64_t size = 10'003;
  const Tensor x = rounded(random({size}, 1), dtype());
  const auto device = put(x, dtype()), sum = device_array<float>(static_cast<size_t>(size));
  const auto one = device_array<float>(1), squares = device_array<float>(square_blocks);
  add_gradient(dtype(), device.as<void>(), size, true, sum.as<float>(), nullptr);
  add_gradient(dtype(), device.as<void>(), size, false, sum.as<float>(), nullptr);
  expect_near(get(sum, {size}, torch::kFloat32), 2 * x, 1e-6, "sum");
  sum_all(sum.as<float>(), static_cast<int>(size), one.as<float>(), nullptr);
  EXPECT_NEAR(get(one, {1}, torch::kFloat32)[0].item<double>(), 2 * x.sum().item<double>(), 1e-3);
  sum_squares(dtype(), device.as<void>(), size, squares.as<float>(), nullptr);
  EXPECT_NEAR(get(squares, {square_blocks}, torch::kFloat32).sum().item<double>(), x.square().sum().item<double>(),
              0.1);
  const auto low = device_array<uint16_t>(static_cast<size_t>(size));
  round_weights(sum.as<float>(), size, low.as<void>(), nullptr);
  EXPECT_TRUE(
      torch::equal(get(low, {size}, torch::kBFloat16), rounded(get(sum, {size}, torch::kFloat32), DType::bf16)));
}

// As many tokens as in a training step of a language model, in a buffer allocated for more.
TEST_P(StepKernels, EmbeddingOfManyTokens) {
  const int64_t N = 6000, D = 768;
  for (const int64_t V : {11, 5000}) {
    std::vector<int32_t> ids;
    for (int64_t i = 0; i < N; ++i) ids.push_back(static_cast<int32_t>(i % 3 == 0 ? 7 : i * i % V));
    const Tensor d_x = random({N, D}, 1).to(torch::kFloat32).to(torch::kFloat64);
    const Tensor before = rounded(random({V, D}, 2), dtype());
    const auto device_ids = device_copy(ids), d_weights = put(before, dtype()), d_x_ = put(d_x, torch::kFloat32);
    const DeviceMemory order = order_memory(N + 1000, V);
    const auto sorted =
        order_tokens(device_ids.as<int32_t>(), static_cast<int>(N), static_cast<int>(V), order.as<void>(), nullptr);
    EXPECT_EQ(sorted, cudaSuccess);
    embedding_backward(dtype(), order.as<void>(), static_cast<int>(N), static_cast<int>(D), DType::fp32,
                       d_x_.as<void>(), d_weights.as<void>(), nullptr);
    const Tensor expected = before.index_add(0, torch::tensor(ids, torch::kInt64), d_x);
    expect_near(get(d_weights, {V, D}, dtype()), expected, near(), "d_weights");
  }
}

TEST_P(StepKernels, ColumnsAddedUp) {
  for (const auto& [rows, columns] : std::vector<std::pair<int64_t, int64_t>>{{1, 8}, {95, 264}, {1000, 2304}}) {
    const Tensor x = rounded(random({rows, columns}, 1), dtype());
    const auto device = put(x, dtype());
    const auto partial = device_array<float>(static_cast<size_t>(column_parts * columns));
    column_sums(dtype(), device.as<void>(), static_cast<int>(rows), static_cast<int>(columns), partial.as<float>(),
                nullptr);
    expect_near(get(partial, {column_parts, columns}, torch::kFloat32).sum(0), x.sum(0), 1e-5, "sums");
  }
}

TEST_P(StepKernels, LongRowsMoved) {
  const std::vector<int32_t> of{1, -1, 0};
  const Tensor x = rounded(random({2, 4360}, 1), dtype());
  const auto from = put(x, dtype()), to = put(torch::ones({3, 4360}), dtype()), device_of = device_copy(of);
  gather_rows(from.as<void>(), device_of.as<int32_t>(), 3, 4360 * (dtype() == DType::bf16 ? 2 : 4), to.as<void>(),
              nullptr);
  EXPECT_TRUE(torch::equal(get(to, {3, 4360}, dtype()), torch::stack({x[1], torch::zeros_like(x[0]), x[0]})));
}

TEST_P(StepKernels, RowsMovedAndTurned) {
  const Rows rows({9, 5}, 0);
  const int64_t N = rows.tokens, heads = 2, E = 64, inner = heads * E;
  const std::vector<int32_t> of{3, -1, 13, 0};
  const Tensor x = rounded(random({N, inner}, 1), dtype());
  const auto from = put(x, dtype()), to = put(torch::ones({4, inner}), dtype()), device_of = device_copy(of);
  gather_rows(from.as<void>(), device_of.as<int32_t>(), 4, static_cast<int>(inner * (dtype() == DType::bf16 ? 2 : 4)),
              to.as<void>(), nullptr);
  Tensor expected = x.index_select(0, torch::tensor({3, 0, 13, 0}, torch::kInt64));
  expected[1].zero_();
  EXPECT_TRUE(torch::equal(get(to, {4, inner}, dtype()), expected));
  if (dtype() != DType::bf16) return;

  const Rotation angles = rotation(rows.positions, {1.0, 0.3, 0.05, 0.01}, torch::kFloat64);
  const auto cos = put(angles.cos_NP, torch::kFloat32), sin = put(angles.sin_NP, torch::kFloat32);
  DeviceRows view = rows.view();
  view.cos = cos.as<float>();
  view.sin = sin.as<float>();
  view.pairs = 4;
  const Tensor qkv = rounded(random({N, 3, heads, E}, 2), dtype());
  const auto device = put(qkv, dtype()), d_qkv = put(torch::zeros_like(qkv), dtype());
  const DeviceHeads all_heads{static_cast<int>(heads), static_cast<int>(heads), static_cast<int>(E)};
  rotate_queries_and_keys(view, all_heads, device.as<void>(), nullptr);
  const Tensor turned = get(device, {N, 3, heads, E}, dtype());
  for (const int64_t part : {0, 1}) {
    expect_near(turned.select(1, part), rotate(qkv.select(1, part).contiguous(), angles), near(), "turned");
  }
  EXPECT_TRUE(torch::equal(turned.select(1, 2), qkv.select(1, 2)));
  const auto part_of = [&](int64_t part) { return put(turned.select(1, part), dtype()); };
  const auto q = part_of(0), k = part_of(1), v = part_of(2);
  rotate_back(view, all_heads, q.as<void>(), k.as<void>(), v.as<void>(), d_qkv.as<void>(), nullptr);
  expect_near(get(d_qkv, {N, 3, heads, E}, dtype()), qkv, 2 * near(), "turned back");
}

TEST_P(StepKernels, Batches) {
  Examples examples;
  Stream stream(9, "kernels test");
  for (int64_t i = 0; i < 50; ++i) {
    const auto words = static_cast<int64_t>(2 + stream.below(30));
    std::vector<int32_t> row;
    for (int64_t k = 0; k < 2 * words + 2; ++k) row.push_back(static_cast<int32_t>(stream.below(30)));
    examples.add(row, words + 1, words);
  }
  const Order order(examples.size(), 1);
  const auto indexing = Choice<PositionIndexing>::read(nullptr, "random_float").make();
  const int count = 7, first = 2, whole = 12, longest = static_cast<int>(examples.longest());
  std::vector<int32_t> ids, offsets{0}, labels, predict;
  std::vector<float> positions;
  int32_t all_targets = 0;
  for (int64_t i = 0; i < whole; ++i) {
    const int64_t t = 3 * whole + i, e = order(t);
    const auto row = examples.row(e);
    const auto size = static_cast<int64_t>(row.size());
    all_targets += static_cast<int32_t>(size - examples.answer(e));
    if (i < first || i >= first + count) continue;
    std::vector<float> drawn(static_cast<size_t>(size));
    Stream draws(1, "positions", static_cast<uint64_t>(t));
    indexing->train(draws, longest, drawn);
    positions.insert(positions.end(), drawn.begin(), drawn.end() - 1);  // the last token is only a label
    for (int64_t k = examples.answer(e); k < size; ++k) {
      predict.push_back(offsets.back() + static_cast<int32_t>(k) - 1);
      labels.push_back(row[static_cast<size_t>(k)]);
    }
    ids.insert(ids.end(), row.begin(), row.end() - 1);
    offsets.push_back(static_cast<int32_t>(ids.size()));
  }
  const auto whole_bucket = [](size_t n) {
    return static_cast<int>((n + bucket_size - 1) / bucket_size * bucket_size);
  };
  const int N = whole_bucket(ids.size()), M = whole_bucket(labels.size());
  const auto ints = [](int n) { return device_array<int32_t>(static_cast<size_t>(n)); };
  const auto longs = [](int n) { return device_array<uint64_t>(static_cast<size_t>(n)); };
  const auto ids_ = ints(N), offsets_ = ints(count + filler_rows + 1), within = ints(N), predict_ = ints(M);
  const auto labels_ = ints(M), target_of = ints(N), target_offsets = ints(count + filler_rows + 1),
             chosen = ints(count);
  const auto samples = longs(count + filler_rows), sample = longs(N),
             positions_ = device_array<float>(static_cast<size_t>(N));
  UpdateState state{};
  state.updates = 3;
  state.finite = 1;
  const auto device_state = device_copy(std::vector<UpdateState>{state});
  const auto tokens = device_copy(std::vector<int32_t>(examples.tokens().begin(), examples.tokens().end()));
  const auto begins = device_copy(std::vector<int64_t>(examples.offsets().begin(), examples.offsets().end()));
  const auto answers = device_copy(std::vector<int32_t>(examples.answers().begin(), examples.answers().end()));
  draw_batch({tokens.as<int32_t>(), begins.as<int64_t>(), answers.as<int32_t>(), 0}, order.network(),
             {{{DeviceDraw::sorted_floats, 1000, 0, stream_key(1, "positions")}}, 1}, longest,
             {count, first, whole, N, M, ids_.as<int32_t>(), offsets_.as<int32_t>(), within.as<int32_t>(),
              samples.as<uint64_t>(), sample.as<uint64_t>(), positions_.as<float>(), N, predict_.as<int32_t>(),
              labels_.as<int32_t>(), target_of.as<int32_t>(), target_offsets.as<int32_t>(), chosen.as<int32_t>()},
             device_state.as<UpdateState>(), nullptr);
  const auto same = [&](const DeviceMemory& given, const std::vector<int32_t>& expected, const char* what) {
    const Tensor found = get(given, {static_cast<int64_t>(expected.size())}, torch::kInt32);
    EXPECT_TRUE(torch::equal(found, torch::tensor(expected, torch::kInt32))) << what;
  };
  same(ids_, ids, "ids");
  same(offsets_, offsets, "offsets");
  same(labels_, labels, "labels");
  same(predict_, predict, "predict");
  const auto drawn = get(positions_, {static_cast<int64_t>(positions.size())}, torch::kFloat32);
  EXPECT_TRUE(torch::equal(drawn, torch::tensor(positions, torch::kFloat32).to(torch::kFloat64)));
  const auto after = get(device_state, {static_cast<int64_t>(sizeof(UpdateState) / 4)}, torch::kInt32);
  EXPECT_EQ(after[3].item<int32_t>(), all_targets);
}

INSTANTIATE_TEST_SUITE_P(All, StepKernels, testing::Values(DType::fp32, DType::bf16),
                         [](const auto& one) { return one.param == DType::bf16 ? "bf16" : "fp32"; });

}  // namespace
}  // namespace rfs
