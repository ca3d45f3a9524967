// Import and export against values from `transformers` (tools/golden_neox.py): logits, bit-identical tensors, configs.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/interchange/gguf.h"
#include "rfs/interchange/hf.h"
#include "rfs/interchange/hf_config.h"
#include "rfs/interchange/llama.h"
#include "rfs/model/store.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
const fs::path golden = fs::path(RFS_SOURCE) / "tests/golden/neox";

Choice<PositionEncoding> encoding_of(const NeoxConfig& config) {
  const auto settings = Settings::from_text(
      "[encoding]\nshare = " + std::to_string(double(config.rotated) / double(config.head_width())) +
          "\nbase = " + std::to_string(config.base) + "\n",
      "test");
  return Choice<PositionEncoding>::read(settings.find("encoding"), "rope");
}

Decoder decoder_of(const HfModel& model) {
  Settings settings;
  settings.assign("model.preset=gpt2");
  Table& table = settings.table("model");
  table.set("layers", {model.config.layers, "test"});
  table.set("width", {model.config.width, "test"});
  table.set("heads", {model.config.heads, "test"});
  table.set("head_width", {model.config.head_width(), "test"});
  table.set("feed_width", {model.config.feed_width, "test"});
  table.set("norm_epsilon", {model.config.norm_epsilon, "test"});
  table.set("tied", {model.config.tied, "test"});
  Decoder decoder(DecoderOptions::read(settings.find("model")), model.config.vocabulary,
                  encoding_of(model.config).make());
  set_weights(decoder, model.weights, "test");
  return decoder;
}

/// Sequential positions, or, for linear scaling, RFS with the same distance between positions.
Choice<PositionIndexing> positions_of(const NeoxConfig& config) {
  const auto settings = Settings::from_text(
      config.factor == 1 ? "[positions]\nuse = 'sequential'\n"
                         : "[positions]\nuse = 'random_float'\nrange = " +
                               std::to_string(static_cast<double>(config.tokens) / config.factor) + "\n",
      "test");
  return Choice<PositionIndexing>::read(settings.find("positions"), "");
}

class Folder : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(path); }
  void TearDown() override { fs::remove_all(path); }
  const fs::path path = fs::temp_directory_path() / ("rfs_interchange_test_" + std::to_string(getpid()));
};

class Neox : public Folder, public testing::WithParamInterface<std::string> {
 protected:
  const fs::path folder = golden / GetParam();
};

TEST_P(Neox, ImportedGivesTheLogitsOfTransformers) {
  const torch::NoGradGuard no_gradient;
  const HfModel model = read_hf(folder);
  const Decoder decoder = decoder_of(model);
  const TensorFile expected = read_tensors(golden / (GetParam() + ".safetensors"));
  const auto& ids = *expected.find("ids");
  for (int64_t row = 0; row < ids.size(0); ++row) {
    const auto tokens = ids[row].to(torch::kInt32).contiguous();
    const std::span<const int32_t> read(tokens.data_ptr<int32_t>(), static_cast<size_t>(tokens.numel()));
    std::vector<float> positions(read.size());
    Stream stream(1, "test");
    positions_of(model.config).make()->infer(stream, model.config.tokens, tokens.numel(), positions);
    const std::vector<Row> rows = {{read, read}};
    const auto logits = decoder.target_logits(pack(rows, positions));
    EXPECT_LT((logits - (*expected.find("logits"))[row]).abs().max().item<double>(), 1e-4);
    EXPECT_GT(logits.abs().max().item<double>(), 1);
  }
}

TEST_P(Neox, ExportedIsWhatWasImported) {
  const HfModel model = read_hf(folder);
  const Decoder decoder = decoder_of(model);
  NeoxConfig config =
      neox_config(decoder, encoding_of(model.config), positions_of(model.config), model.config.tokens, 1, "test");
  config.end = model.config.end;
  EXPECT_EQ(config, model.config);
  write_hf(path, config, weights(decoder), {}, {});
  EXPECT_EQ(read_hf(path).config, model.config);
  const TensorFile before = read_tensors(folder / "model.safetensors"),
                   after = read_tensors(path / "model.safetensors");
  EXPECT_EQ(before.tensors.size(), after.tensors.size());
  for (const auto& [name, tensor] : before.tensors) {
    ASSERT_NE(after.find(name), nullptr) << name;
    EXPECT_TRUE(torch::equal(*after.find(name), tensor)) << name;
  }
}

TEST_P(Neox, IsReadFromShards) {
  const TensorFile whole = read_tensors(folder / "model.safetensors");
  TensorFile parts[2];
  Json index = {{"metadata", {{"total_size", 1}}}, {"weight_map", Json::object()}};
  for (size_t i = 0; i < whole.tensors.size(); ++i) {
    parts[i % 2].tensors.push_back(whole.tensors[i]);
    index["weight_map"][whole.tensors[i].first] = "part" + std::to_string(i % 2) + ".safetensors";
  }
  for (size_t i = 0; i < 2; ++i) write_tensors(path / ("part" + std::to_string(i) + ".safetensors"), parts[i]);
  write_file(path / "model.safetensors.index.json", index.dump());
  fs::copy(folder / "config.json", path);
  const HfModel expected = read_hf(folder), model = read_hf(path);
  for (const auto& [name, tensor] : expected.weights.tensors) {
    EXPECT_TRUE(torch::equal(*model.weights.find(name), tensor)) << name;
  }
}

TEST_P(Neox, MayBeOfHalfPrecision) {
  for (const auto type : {torch::kFloat16, torch::kBFloat16}) {
    TensorFile file = read_tensors(folder / "model.safetensors");
    for (auto& [name, tensor] : file.tensors) tensor = tensor.to(type);
    file.tensors.emplace_back("gpt_neox.layers.0.attention.bias", torch::ones({1, 1, 4, 4}, torch::kBool));
    write_tensors(path / "model.safetensors", file);
    fs::copy(folder / "config.json", path, fs::copy_options::overwrite_existing);
    const HfModel expected = read_hf(folder), model = read_hf(path);
    for (const auto& [name, tensor] : expected.weights.tensors) {
      EXPECT_TRUE(torch::equal(*model.weights.find(name), tensor.to(type).to(torch::kFloat32))) << name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Golden, Neox, testing::Values("linear", "plain"),
                         [](const auto& named) { return named.param; });

TEST(RotaryShare, KeepsEveryNumberOfDims) {
  NeoxConfig config{11, 0, 1, 1, 8};
  for (config.width = 2; config.width <= 300; ++config.width) {
    for (config.rotated = 2; config.rotated <= config.width; config.rotated += 2) {
      const double share = Json::parse(hf_config(config))["rotary_pct"];
      EXPECT_EQ(static_cast<int64_t>(static_cast<double>(config.width) * share), config.rotated) << config.width;
    }
  }
}

class Mistakes : public Folder {
 protected:
  /// The error of an import of the golden folder, with its config changed by a JSON patch.
  std::string says(const Json& patch) {
    auto config = Json::parse(read_file(golden / "linear/config.json"));
    config.merge_patch(patch);
    write_file(path / "config.json", config.dump());
    fs::copy(golden / "linear/model.safetensors", path, fs::copy_options::skip_existing);
    return message();
  }
  std::string message() {
    try {
      read_hf(path);
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing";
  }
};

TEST_F(Mistakes, InTheConfigAreNamed) {
  EXPECT_EQ(says(Json::object()), "nothing");
  const std::vector<std::pair<Json, std::string>> rows = {
      {{{"model_type", "llama"}}, "'model_type' must be gpt_neox, got \"llama\""},
      {{{"use_parallel_residual", true}},
       "'use_parallel_residual' must be false (rfs has no parallel residual branches)"},
      {{{"use_parallel_residual", nullptr}}, "'use_parallel_residual' must be false"},
      {{{"hidden_act", "gelu"}}, "'hidden_act' must be gelu_new or gelu_pytorch_tanh"},
      {{{"attention_bias", false}}, "'attention_bias' must be true"},
      {{{"hidden_size", "24"}}, "'hidden_size' must be an integer from 1 to 1073741824, got \"24\""},
      {{{"hidden_size", nullptr}}, "'hidden_size' must be an integer from 1 to 1073741824, got null"},
      {{{"hidden_size", 25}}, "'hidden_size' must be a multiple of 3 heads, got 25"},
      {{{"num_hidden_layers", 0}}, "'num_hidden_layers' must be an integer from 1 to 1000, got 0"},
      {{{"num_hidden_layers", 3}}, "the tensor 'gpt_neox.layers.2.input_layernorm.weight' is missing"},
      {{{"num_hidden_layers", 1}}, "unknown tensor 'gpt_neox.layers.1."},
      {{{"vocab_size", 12}}, "'gpt_neox.embed_in.weight' must have shape [12, 24], as config.json says, got [11, 24]"},
      {{{"intermediate_size", 21}}, "mlp.dense_h_to_4h.weight' must have shape [21, 24]"},
      {{{"tie_word_embeddings", false}}, "the tensor 'embed_out.weight' is missing"},
      {{{"tie_word_embeddings", "yes"}}, "'tie_word_embeddings' must be true or false"},
      {{{"hidden_sise", 3}}, "unknown key 'hidden_sise' (did you mean 'hidden_size'?)"},
      {{{"rope_parameters", {{"rope_type", "yarn"}}}}, "rope_parameters: 'rope_type' must be default or linear"},
      {{{"rope_parameters", {{"factor", nullptr}}}}, "rope_parameters: 'factor' must be a positive number, got null"},
      {{{"rope_parameters", {{"factor", -1}}}}, "'factor' must be a positive number, got -1"},
      {{{"rope_parameters", {{"beta", 1}}}}, "rope_parameters: unknown key 'beta'"},
      {{{"rope_parameters", {{"partial_rotary_factor", 0.4}}}},
       "the number of rotated dims must be even, from 2 to 8, got 3"},
      {{{"rope_theta", 5}}, "'rope_theta' must be 10000"},
  };
  for (const auto& [patch, line] : rows) {
    const std::string said = says(patch);
    EXPECT_NE(said.find(line), std::string::npos) << patch << "\n" << said;
    EXPECT_EQ(said.find('\n'), std::string::npos);
  }
}

TEST_F(Mistakes, InTheFolderAreNamed) {
  const auto expect = [&](const std::string& line) { EXPECT_NE(message().find(line), std::string::npos) << message(); };
  expect("config.json: cannot read this file");
  fs::copy(golden / "linear/config.json", path);
  expect("has neither model.safetensors nor model.safetensors.index.json");
  write_file(path / "pytorch_model.bin", "PK");
  expect("pytorch_model.bin: must be safetensors, got a pickle");
  write_file(path / "model.safetensors", std::string("PK\3\4\0\0\10\10", 8));
  expect("model.safetensors: must be safetensors, got a pickle");
  write_file(path / "model.safetensors", "\x80\x02}q\x01(X\x03");
  expect("model.safetensors: must be safetensors, got a pickle");
  write_file(path / "model.safetensors", "no header at all");
  expect("must be a whole safetensors file");
  fs::remove(path / "model.safetensors");
  write_file(path / "model.safetensors.index.json", "[]");
  expect("must be a JSON object with 'weight_map'");
  write_file(path / "model.safetensors.index.json", R"({"weight_map": {"a": "../b"}})");
  expect("'a' must name a file in this folder, got \"../b\"");
  write_file(path / "model.safetensors.index.json", R"({"weight_map": {"a": "b"}})");
  expect("b: cannot read this file");
}

/// Reads values from a buffer, one after the other.
class Reader {
 public:
  explicit Reader(std::string text) : text_(std::move(text)) {}
  template <class Number>
  Number number() {
    Number value;
    std::memcpy(&value, text_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  std::string string(size_t size) {
    at_ += size;
    return text_.substr(at_ - size, size);
  }
  std::string string() { return string(number<uint64_t>()); }
  size_t at() const { return at_; }
  size_t size() const { return text_.size(); }

 private:
  std::string text_;
  size_t at_ = 0;
};

// The container byte by byte: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
TEST_F(Folder, HoldsAGgufFile) {
  const auto matrix = torch::arange(6, torch::kFloat32).view({2, 3}), vector = torch::tensor({7.f});
  GgufFile file;
  file.metadata = {
      {"a", uint32_t{7}}, {"b", std::string("text")},     {"c", std::vector<std::string>{"x", "yz"}}, {"d", true},
      {"e", 0.5f},        {"f", std::vector<int32_t>{-1}}};
  file.tensors = {{"m", matrix}, {"v", vector}};
  write_gguf(path / "file.gguf", file);
  Reader in(read_file(path / "file.gguf"));
  EXPECT_EQ(in.string(4), "GGUF");
  EXPECT_EQ(in.number<uint32_t>(), 3u);
  EXPECT_EQ(in.number<uint64_t>(), 2u);
  EXPECT_EQ(in.number<uint64_t>(), 6u);
  const auto expect_key = [&](const std::string& key, uint32_t type) {
    EXPECT_EQ(in.string(), key);
    EXPECT_EQ(in.number<uint32_t>(), type);
  };
  expect_key("a", 4);
  EXPECT_EQ(in.number<uint32_t>(), 7u);
  expect_key("b", 8);
  EXPECT_EQ(in.string(), "text");
  expect_key("c", 9);
  EXPECT_EQ(in.number<uint32_t>(), 8u);
  EXPECT_EQ(in.number<uint64_t>(), 2u);
  EXPECT_EQ(in.string(), "x");
  EXPECT_EQ(in.string(), "yz");
  expect_key("d", 7);
  EXPECT_EQ(in.number<uint8_t>(), 1);
  expect_key("e", 6);
  EXPECT_EQ(in.number<float>(), 0.5f);
  expect_key("f", 9);
  EXPECT_EQ(in.number<uint32_t>(), 5u);
  EXPECT_EQ(in.number<uint64_t>(), 1u);
  EXPECT_EQ(in.number<int32_t>(), -1);
  EXPECT_EQ(in.string(), "m");
  EXPECT_EQ(in.number<uint32_t>(), 2u);
  EXPECT_EQ(in.number<uint64_t>(), 3u);  // the last dimension comes first
  EXPECT_EQ(in.number<uint64_t>(), 2u);
  EXPECT_EQ(in.number<uint32_t>(), 0u);
  EXPECT_EQ(in.number<uint64_t>(), 0u);
  EXPECT_EQ(in.string(), "v");
  EXPECT_EQ(in.number<uint32_t>(), 1u);
  EXPECT_EQ(in.number<uint64_t>(), 1u);
  EXPECT_EQ(in.number<uint32_t>(), 0u);
  EXPECT_EQ(in.number<uint64_t>(), 32u);
  const size_t data = (in.at() + 31) / 32 * 32;
  ASSERT_EQ(in.size(), data + 64);
  in.string(data - in.at());
  for (int i = 0; i < 6; ++i) EXPECT_EQ(in.number<float>(), static_cast<float>(i));
  in.string(8);
  EXPECT_EQ(in.number<float>(), 7.f);
}

TEST(Llama, HasHalvesByKindAndAHeadOfItsOwn) {
  const HfModel model = read_hf(golden / "linear");
  const GgufFile file = llama_file(model.config, model.weights, {}, "name");
  const TensorFile hf = read_tensors(golden / "linear/model.safetensors");
  const auto find = [&](const std::string& name) {
    for (const auto& [key, tensor] : file.tensors) {
      if (key == name) return tensor;
    }
    return torch::Tensor();
  };
  EXPECT_TRUE(torch::equal(find("output.weight"), *hf.find("gpt_neox.embed_in.weight")));
  const auto& heads = *hf.find("gpt_neox.layers.1.attention.query_key_value.weight");
  EXPECT_TRUE(torch::equal(find("blk.1.attn_qkv.weight").narrow(0, 8, 8), heads.narrow(0, 24, 8)));  // second query
  EXPECT_TRUE(torch::equal(find("blk.1.attn_qkv.weight").narrow(0, 24, 8), heads.narrow(0, 8, 8)));  // first key
}

}  // namespace
}  // namespace rfs
