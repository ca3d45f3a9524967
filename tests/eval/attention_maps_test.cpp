// Attention maps against a direct computation in double, and against what every kind of model computes.

#include "rfs/eval/attention_maps.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>

#include "../model/every_model.h"
#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/records/attention_record.h"

namespace rfs {
namespace {

Batch one_row(const std::vector<int32_t>& tokens, const std::vector<std::vector<float>>& tracks) {
  const std::vector<Row> rows = {sequence_row(tokens, 2)};
  return pack(rows, tracks);
}

TEST(AttentionMaps, AreTheWeightsOfADirectComputation) {
  constexpr int64_t width = 12, heads = 3, head_width = 4;
  const AnyModel model{"direct", "[model]\npreset = 'tiny'\nheads = 3\n[encoding]\nuse = 'rope'\nshare = 1.0\n"};
  const auto decoder =
      model.decoder(torch::kFloat64, torch::kCPU, {"layers=2", "width=12", "head_width=4", "feed_width=8"});
  {
    const torch::NoGradGuard no_gradient;
    decoder->parameters()["blocks.0.attention.qkv.weight"].mul_(4);  // initial weights hardly prefer any token
  }
  const std::vector<int32_t> tokens = {3, 7, 1, 12, 5, 9};
  const std::vector<float> positions = {0.25F, 3.5F, 77.125F, 400.0F, 901.75F};
  const auto maps = attention_maps(*decoder, one_row(tokens, {positions}));
  ASSERT_EQ(maps.weights_Hnn.size(), 2u);
  ASSERT_EQ(maps.weights_Hnn[0].sizes(), (std::vector<int64_t>{heads, 5, 5}));

  const auto table = decoder->parameters()["embedding.weight"],
             scale = decoder->parameters()["blocks.0.attention_norm.weight"],
             map = decoder->parameters()["blocks.0.attention.qkv.weight"];
  const auto at = [](const torch::Tensor& x, int64_t i, int64_t j) { return x[i][j].item<double>(); };
  // Queries (part 0) and keys (part 1) of one head, rotated.
  const auto vector = [&](size_t token, int64_t part, int64_t head) {
    std::vector<double> x(width), out(head_width), turned(head_width);
    double squares = 0;
    for (int64_t d = 0; d < width; ++d) {
      x[static_cast<size_t>(d)] = at(table, tokens[token], d);
      squares += x[static_cast<size_t>(d)] * x[static_cast<size_t>(d)];
    }
    const double norm = std::sqrt(squares / width + *decoder->options().norm_epsilon);
    for (int64_t e = 0; e < head_width; ++e) {
      for (int64_t d = 0; d < width; ++d) {
        out[static_cast<size_t>(e)] += at(map, part * heads * head_width + head * head_width + e, d) *
                                       x[static_cast<size_t>(d)] / norm * scale[d].item<double>();
      }
    }
    for (size_t pair = 0; pair < 2; ++pair) {
      const double angle =
          static_cast<double>(positions[token]) * std::pow(10000.0, -2.0 * static_cast<double>(pair) / head_width);
      const double a = out[2 * pair], b = out[2 * pair + 1];
      turned[2 * pair] = a * std::cos(angle) - b * std::sin(angle);
      turned[2 * pair + 1] = a * std::sin(angle) + b * std::cos(angle);
    }
    return turned;
  };
  double furthest_from_even = 0;
  for (int64_t head = 0; head < heads; ++head) {
    for (size_t query = 0; query < 5; ++query) {
      std::vector<double> scores;
      double sum = 0;
      for (size_t key = 0; key <= query; ++key) {
        const auto q = vector(query, 0, head), k = vector(key, 1, head);
        double score = 0;
        for (size_t e = 0; e < q.size(); ++e) score += q[e] * k[e];
        if (decoder->options().scale_scores) score /= std::sqrt(static_cast<double>(head_width));
        scores.push_back(std::exp(score));
        sum += scores.back();
      }
      for (size_t key = 0; key < 5; ++key) {
        const double expected = key <= query ? scores[key] / sum : 0;
        EXPECT_NEAR(maps.weights_Hnn[0][head][static_cast<int64_t>(query)][static_cast<int64_t>(key)].item<double>(),
                    expected, 1e-12)
            << head << " " << query << " " << key;
        furthest_from_even = std::max(furthest_from_even, std::abs(expected - 1.0 / static_cast<double>(query + 1)));
      }
    }
  }
  EXPECT_GT(furthest_from_even, 0.1) << "the model's weights are too even to tell anything";
}

TEST(AttentionMaps, AreThoseThatEveryModelUses) {
  const std::vector<int32_t> tokens = {3, 7, 1, 12, 5, 9, 2, 2};
  const std::vector<float> positions = {0.5F, 1.0F, 4.25F, 9.0F, 30.0F, 31.5F, 60.0F};
  for (const AnyModel& model : every_model()) {
    const auto decoder = model.decoder(torch::kFloat64);
    const std::vector<std::vector<float>> tracks(decoder->spec().tracks(), positions);
    const Batch row = one_row(tokens, tracks);
    const auto maps = attention_maps(*decoder, row);
    const torch::NoGradGuard no_gradient;
    EXPECT_TRUE(torch::allclose(maps.hidden_ND, decoder->hidden(row), 1e-9, 1e-11)) << model.name;
    ASSERT_EQ(maps.weights_Hnn.size(), static_cast<size_t>(*decoder->options().layers)) << model.name;
    for (const auto& weights_Hnn : maps.weights_Hnn) {
      EXPECT_EQ(weights_Hnn.triu(1).abs().max().item<double>(), 0) << model.name << ": looks ahead";
      EXPECT_TRUE(weights_Hnn.isfinite().all().item<bool>()) << model.name;
    }
  }
}

TEST(AttentionRecords, KeepWeightsAndRefuseBrokenFiles) {
  EXPECT_EQ(packed_weights({0, 1, 0.5, 0.0019, 0.002}), "00ff800001");
  const auto folder = std::filesystem::temp_directory_path() / ("rfs_attention_test_" + std::to_string(getpid()));
  AttentionRecord record;
  record.layers = record.heads = 1;
  record.tracks = {0};
  record.trained_positions = {{0.0F, 9.0F}};
  record.samples = {{4, true, {"a", "<b>"}, {"c"}, {"d"}, {{0.5F, 7}}, {{packed_weights({1, 0.25, 0.75})}}}};
  write_attention_record(folder / attention_file, record);
  const auto read = read_attention_record(folder / attention_file);
  EXPECT_EQ(read.samples.at(0).weights.at(0).at(0), "ff40bf");
  EXPECT_EQ(read.samples.at(0).positions.at(0), (std::vector<float>{0.5F, 7}));
  const auto refused = [&](const AttentionRecord& broken) {
    write_attention_record(folder / attention_file, broken);
    EXPECT_THROW(read_attention_record(folder / attention_file), Error);
  };
  auto broken = record;
  broken.samples[0].weights[0][0] = "ff";
  refused(broken);
  broken = record;
  broken.samples[0].positions = {{1}};
  refused(broken);
  broken = record;
  broken.tracks = {2};
  refused(broken);
  broken = record;
  broken.heads = 2;
  refused(broken);
  broken = record;
  broken.trained_positions.clear();
  refused(broken);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace rfs
