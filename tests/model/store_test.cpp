#include "rfs/model/store.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "rfs/core/error.h"
#include "rfs/core/files.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;

const std::string settings =
    "[encoding]\nuse = 'alibi'\n[model]\npreset = 'tiny'\nlayers = 1\nwidth = 8\nheads = 2\nhead_width = 4\nfeed_width "
    "= 8\n";

Decoder small(const std::string& text = settings) {
  const auto parsed = Settings::from_text(text, "test");
  return Decoder(DecoderOptions::read(parsed.find("model")), 11,
                 Choice<PositionEncoding>::read(parsed.find("encoding"), "rope").make());
}

class Store : public testing::Test {
 protected:
  fs::path path = fs::temp_directory_path() / ("rfs_store_test_" + std::to_string(getpid()) + ".safetensors");
  void TearDown() override { fs::remove(path); }
};

TEST_F(Store, KeepsWeightsAndSettings) {
  Decoder decoder = small();
  decoder.initialise(5);
  save_model(path, decoder, settings, 23);
  const StoredModel model = load_model(path);
  EXPECT_EQ(model.settings, settings);
  EXPECT_EQ(model.trained_length, 23);
  EXPECT_EQ(model.decoder->vocabulary(), 11);
  EXPECT_TRUE(torch::equal(model.decoder->parameters().flat(), decoder.parameters().flat()));
  const std::vector<int32_t> sequence = {1, 2, 3, 4};
  const std::vector<Row> rows = {sequence_row(sequence, 2)};
  const std::vector<float> positions = {0.5f, 1.25f, 7.f};
  const Batch batch = pack(rows, positions);
  EXPECT_EQ(model.decoder->loss(batch).item<float>(), decoder.loss(batch).item<float>());
}

TEST_F(Store, RefusesTruncatedFilesAtEveryLength) {
  Decoder decoder = small();
  save_model(path, decoder, settings, 23);
  const std::string whole = read_file(path);
  for (size_t size = 0; size < whole.size(); size += size < 64 ? 1 : 97) {
    write_file(path, std::string_view(whole).substr(0, size));
    EXPECT_THROW(load_model(path), Error) << size;
  }
}

TEST_F(Store, RefusesForeignFiles) {
  const auto says = [&](const std::string& content) {
    write_file(path, content);
    try {
      load_model(path);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  const auto container = [](const std::string& header) {
    std::string bytes(8, '\0');
    const uint64_t size = header.size();
    std::memcpy(bytes.data(), &size, 8);
    return bytes + header;
  };
  EXPECT_NE(says("PK\x03\x04 a zip file, say").find("must be a whole safetensors file"), std::string::npos);
  EXPECT_NE(says(container("[1, 2]")).find("not a JSON object"), std::string::npos);
  EXPECT_NE(says(container("{\"a\": 3}")).find("malformed header entry 'a'"), std::string::npos);
  EXPECT_NE(says(container("{\"a\": {\"dtype\": \"F8\", \"shape\": [], \"data_offsets\": [0, 0]}}")).find("type 'F8'"),
            std::string::npos);
  EXPECT_NE(
      says(container("{\"a\": {\"dtype\": \"F32\", \"shape\": [1152921504606846976, 16], \"data_offsets\": [0, 0]}}"))
          .find("larger than the file"),
      std::string::npos);
  EXPECT_NE(says(container("{}")).find("not a model saved by rfs"), std::string::npos);

  const auto two_tensors = [&](int a, int b, int c, int d, const std::string& data) {
    const auto tensor = [](int begin, int end) {
      return "{\"dtype\": \"U8\", \"shape\": [" + std::to_string(end - begin) + "], \"data_offsets\": [" +
             std::to_string(begin) + ", " + std::to_string(end) + "]}";
    };
    return says(container("{\"a\": " + tensor(a, b) + ", \"b\": " + tensor(c, d) + "}") + data);
  };
  EXPECT_NE(two_tensors(2, 4, 0, 2, "abcd").find("not a model saved by rfs"), std::string::npos);  // in any order
  EXPECT_NE(two_tensors(0, 3, 2, 4, "abcd").find("got two tensors that share the data's byte 2"), std::string::npos);
  EXPECT_NE(two_tensors(0, 1, 2, 4, "abcd").find("got bytes 1 to 2 of the data that no tensor uses"),
            std::string::npos);
  EXPECT_NE(two_tensors(0, 2, 2, 4, "abcdef").find("got 2 bytes after the last tensor"), std::string::npos);
}

TEST_F(Store, RefusesCountsThatNoModelHas) {
  Decoder decoder = small();
  decoder.initialise(5);
  save_model(path, decoder, settings, 1 << 23);
  EXPECT_EQ(load_model(path).trained_length, 1 << 23);
  for (const int64_t length : {int64_t{0}, int64_t{-1}, int64_t{1} << 62, std::numeric_limits<int64_t>::max()}) {
    save_model(path, decoder, settings, length);
    try {
      load_model(path);
      ADD_FAILURE() << length;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("'trained_length' in its metadata must be an integer from 1 to 8388608"),
                std::string::npos)
          << error.what();
    }
  }
  TensorFile file = weights(decoder);
  file.metadata = {{"format", "rfs model 1"},
                   {"settings", settings},
                   {"vocabulary", "99999999999999999999999"},
                   {"trained_length", "5"}};
  EXPECT_THROW(load_model(std::move(file), "x", torch::kCPU), Error);
}

TEST_F(Store, NamesTheTensorThatDoesNotFit) {
  Decoder decoder = small();
  std::string wider = settings;
  wider.replace(wider.find("feed_width = 8"), 14, "feed_width = 9");
  save_model(path, decoder, wider, 23);
  try {
    load_model(path);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'blocks.0.feed.in.weight' must have shape [9, 8], got [8, 8]"),
              std::string::npos)
        << error.what();
  }
}

TEST_F(Store, RefusesWeightsThatAreNoNumbers) {
  Decoder decoder = small();
  decoder.initialise(5);
  {
    const torch::NoGradGuard no_gradient;
    decoder.parameters().flat()[3] = std::numeric_limits<float>::quiet_NaN();
  }
  save_model(path, decoder, settings, 23);
  EXPECT_THROW(load_model(path), Error);
}

// One block written out, with dropout after the embedding, on attention weights, in the feed-forward part, at the end
// of each branch, and at the end of the model.
TEST(Dropout, ActsAtItsPlaces) {
  Decoder decoder = small();
  decoder.initialise(5);
  const std::vector<int32_t> sequence = {1, 2, 3, 4, 5};
  const std::vector<Row> rows = {sequence_row(sequence, 2), sequence_row(sequence, 1)};
  const std::vector<float> positions = {0.5f, 1.25f, 7.f, 8.f, 1.f, 2.f, 3.f, 4.f};
  const Batch batch = pack(rows, positions);
  const Dropout dropout{0.4, 99, {3, 4}};
  const auto& p = decoder.parameters();
  const auto norm = [&](const torch::Tensor& x, const std::string& name) {
    return x * torch::rsqrt(x.square().mean(-1, true) + 1e-6) * p[name + ".weight"];
  };
  const auto at = [&](const torch::Tensor& x, uint32_t site) { return drop(x, batch.offsets, dropout, site); };
  AttentionPlan plan;
  plan.offsets = batch.offsets;
  plan.positions_N = batch.positions[0];
  plan.slopes_H = torch::tensor({std::exp2(-4.0), std::exp2(-8.0)}).to(torch::kFloat32);
  plan.layout = {2, 2, decoder.options().head_width};
  plan.dropout = dropout;
  auto x = at(torch::embedding(p["embedding.weight"], batch.tokens_N), 0);
  const auto qkv = torch::linear(norm(x, "blocks.0.attention_norm"), p["blocks.0.attention.qkv.weight"]);
  x = x + at(torch::linear(attention(qkv, plan, 2, Backend::reference), p["blocks.0.attention.out.weight"]), 3);
  const auto hidden = torch::relu(torch::linear(norm(x, "blocks.0.feed_norm"), p["blocks.0.feed.in.weight"]));
  x = x + at(torch::linear(at(hidden, 4), p["blocks.0.feed.out.weight"]), 5);
  const auto expected = at(norm(x, "final_norm"), 1);
  EXPECT_LT((decoder.hidden(batch, dropout) - expected).abs().max().item<double>(), 1e-5);
  EXPECT_GT((decoder.hidden(batch) - expected).abs().max().item<double>(), 0.1);
}

TEST(Head, MayBeItsOwn) {
  Decoder decoder = small(settings + "tied = false\nscale_head = false\n");
  decoder.initialise(5);
  const auto hidden = torch::ones({1, 8});
  EXPECT_LT((decoder.logits(hidden) - decoder.parameters()["head.weight"].sum(1)).abs().max().item<double>(), 1e-5);
}

TEST(Initialisation, HasTheDeviationsOfTheRecipe) {
  const auto parsed = Settings::from_text("[model]\npreset = 't5-base'\nlayers = 1\n", "test");
  Decoder decoder(DecoderOptions::read(parsed.find("model")), 500,
                  Choice<PositionEncoding>::read(nullptr, "rope").make());
  decoder.initialise(1);
  const auto& p = decoder.parameters();
  const auto expect = [](const torch::Tensor& x, double deviation) {
    EXPECT_NEAR(x.std().item<double>() / deviation, 1, 0.02);
    EXPECT_NEAR(x.mean().item<double>() / deviation, 0, 0.02);
  };
  const auto& qkv = p["blocks.0.attention.qkv.weight"];
  expect(p["embedding.weight"].detach(), 1);
  expect(qkv.detach().narrow(0, 0, 768), 1 / std::sqrt(768.0 * 64));
  expect(qkv.detach().narrow(0, 768, 768), 1 / std::sqrt(768.0));
  expect(qkv.detach().narrow(0, 1536, 768), 1 / std::sqrt(768.0));
  expect(p["blocks.0.attention.out.weight"].detach(), 1 / std::sqrt(768.0));
  expect(p["blocks.0.feed.in.weight"].detach(), 1 / std::sqrt(768.0));
  expect(p["blocks.0.feed.out.weight"].detach(), 1 / std::sqrt(3072.0));
  EXPECT_EQ(p["final_norm.weight"].min().item<double>(), 1);
}

// The paper's model for length tasks has 109.6 M parameters with T5's vocabulary of 32,128.
TEST(Presets, HaveTheirSizes) {
  const auto size = [](const std::string& preset, int64_t vocabulary) {
    const auto parsed = Settings::from_text("[model]\npreset = '" + preset + "'\n", "test");
    return Decoder(DecoderOptions::read(parsed.find("model")), vocabulary,
                   Choice<PositionEncoding>::read(nullptr, "rope").make())
        .parameters()
        .size();
  };
  EXPECT_EQ(size("t5-base", 32'128), 109'628'160);
  EXPECT_EQ(size("gpt2", 50'257), 123'653'376);  // GPT-2 small has 124,439,808 with its 1,024 learned positions
  EXPECT_EQ(size("tiny", 30), 397'696);
}

}  // namespace
}  // namespace rfs
