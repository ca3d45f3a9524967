// Import and export against values from `transformers` (tools/golden_neox.py, tools/golden_families.py): logits,
// bit-identical tensors, configs.

#include <algorithm>

#include "checkpoints.h"
#include "rfs/core/error.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

class Family : public Folder, public testing::WithParamInterface<std::string> {
 protected:
  const fs::path folder = golden / GetParam();
  const Checkpoint checkpoint = read_hf(folder);
};

// Rows of the golden are as long as the window, or twice as long if the model can read them.
TEST_P(Family, ImportedGivesTheLogitsOfTransformers) {
  const torch::NoGradGuard no_gradient;
  const Decoder decoder = decoder_of(checkpoint);
  const TensorFile expected = read_tensors(golden / (GetParam() + ".safetensors"));
  const auto& ids = *expected.find("ids");
  const auto positions_of = settings_of(checkpoint).positions.make();
  for (int64_t row = 0; row < ids.size(0); ++row) {
    const auto tokens = ids[row].to(torch::kInt32).contiguous();
    const std::span<const int32_t> read(tokens.data_ptr<int32_t>(), static_cast<size_t>(tokens.numel()));
    std::vector<float> positions(read.size());
    Stream stream(1, "test");
    positions_of->infer(stream, checkpoint.config.tokens, tokens.numel(), positions);
    const std::vector<Row> rows = {{read, read}};
    const auto logits = decoder.target_logits(pack(rows, positions));
    EXPECT_LT((logits - (*expected.find("logits"))[row]).abs().max().item<double>(), 1e-4);
    EXPECT_GT(logits.abs().max().item<double>(), 1);
  }
}

TEST_P(Family, ExportedIsWhatWasImported) {
  const Decoder decoder = decoder_of(checkpoint);
  const CheckpointConfig& read = checkpoint.config;
  CheckpointConfig config = config_of(settings_of(checkpoint), read.vocabulary, read.tokens, 1, "test");
  config.ids = read.ids;
  config.planned = read.planned;
  EXPECT_EQ(config, read);
  const std::string name = family_for(config, "test");
  EXPECT_EQ(name, Json::parse(read_file(folder / "config.json"))["model_type"]);
  write_hf(path, *checkpoint.family, config, name, weights(decoder), {}, {});
  const Checkpoint again = read_hf(path);
  config.planned = true;
  // A factor below 1, or a planned length, becomes positions. Ours say the same in either form.
  EXPECT_EQ(again.config, config);
  for (const auto& tensor : checkpoint.family->tensors(config)) {
    const auto &before = *checkpoint.file.find(tensor.hf), &after = *again.file.find(tensor.hf);
    EXPECT_TRUE(torch::equal(after, before.to(torch::kFloat32))) << tensor.hf;
  }
}

TEST_P(Family, IsReadFromShards) {
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
  const Decoder expected = decoder_of(checkpoint), read = decoder_of(read_hf(path));
  EXPECT_TRUE(torch::equal(expected.parameters().flat(), read.parameters().flat()));
}

TEST_P(Family, MayBeOfHalfPrecision) {
  const torch::NoGradGuard no_gradient;
  for (const auto type : {torch::kFloat16, torch::kBFloat16}) {
    TensorFile file = read_tensors(folder / "model.safetensors");
    for (auto& [name, tensor] : file.tensors) tensor = tensor.to(type);
    file.tensors.emplace_back("gpt_neox.layers.0.attention.bias", torch::ones({1, 1, 4, 4}, torch::kBool));
    write_tensors(path / "model.safetensors", file);
    fs::copy(folder / "config.json", path, fs::copy_options::overwrite_existing);
    const Decoder expected = decoder_of(checkpoint), read = decoder_of(read_hf(path));
    const auto rounded = expected.parameters().flat().to(type).to(torch::kFloat32);
    EXPECT_TRUE(torch::equal(rounded, read.parameters().flat()));
  }
}

// Names of a model without a head, such as the published GPT-2, lack the prefix.
TEST_P(Family, MayLackThePrefix) {
  TensorFile file = read_tensors(folder / "model.safetensors");
  const std::string prefix = checkpoint.family->prefix();
  for (auto& [name, tensor] : file.tensors) {
    if (name.starts_with(prefix)) name = name.substr(prefix.size());
  }
  write_tensors(path / "model.safetensors", file);
  fs::copy(folder / "config.json", path);
  const Decoder expected = decoder_of(checkpoint), read = decoder_of(read_hf(path));
  EXPECT_TRUE(torch::equal(expected.parameters().flat(), read.parameters().flat()));
}

INSTANTIATE_TEST_SUITE_P(Golden, Family,
                         testing::Values("neox/linear", "neox/plain", "families/llama", "families/llama3",
                                         "families/llama-tied", "families/llama-yarn", "families/llama-linear",
                                         "families/mistral", "families/qwen2", "families/qwen2-window",
                                         "families/qwen3", "families/smollm3", "families/pythia", "families/neox",
                                         "families/gpt2"),
                         [](const auto& named) {
                           std::string name = named.param.substr(named.param.find('/') + 1);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// Published chat models have several ends of text, some of them only in generation_config.json.
TEST_F(Folder, KeepsSpecialIds) {
  fs::copy(golden / "families/smollm3", path);
  const auto original = Json::parse(read_file(path / "config.json"));
  const auto read = [&](const Json& patch) {
    Json config = original;
    config.update(patch);
    write_file(path / "config.json", config.dump());
    return read_hf(path);
  };
  EXPECT_EQ(read(Json::object()).config.ids, (TokenIds{2, -1, {3}}));
  EXPECT_EQ(read({{"eos_token_id", {4, 9, 4, 29, "a"}}, {"pad_token_id", 29}}).config.ids, (TokenIds{2, -1, {4, 9}}));
  EXPECT_EQ(read({{"eos_token_id", nullptr}, {"bos_token_id", nullptr}}).config.ids, (TokenIds{-1, -1, {}}));
  write_file(path / "generation_config.json", R"({"eos_token_id": [7, 3], "pad_token_id": 5, "bos_token_id": 6})");
  const Checkpoint checkpoint = read(Json::object());
  EXPECT_EQ(checkpoint.config.ids, (TokenIds{2, 5, {3, 7}}));

  write_hf(path, *checkpoint.family, checkpoint.config, "smollm3", weights(decoder_of(checkpoint)), {}, {});
  for (const char* name : {"config.json", "generation_config.json"}) {
    const auto json = Json::parse(read_file(path / name));
    EXPECT_EQ(json["bos_token_id"], 2) << name;
    EXPECT_EQ(json["pad_token_id"], 5) << name;
    EXPECT_EQ(json["eos_token_id"], Json({3, 7})) << name;
  }
  EXPECT_EQ(read_hf(path).config, [&] {
    CheckpointConfig config = checkpoint.config;
    config.planned = true;
    return config;
  }());
  write_file(path / "generation_config.json", "[");
  EXPECT_THROW(read_hf(path), Error);
}

TEST(RotaryShare, KeepsEveryNumberOfDims) {
  CheckpointConfig config;
  for (config.head_width = 2; config.head_width <= 300; ++config.head_width) {
    for (config.rotated = 2; config.rotated <= config.head_width; config.rotated += 2) {
      EXPECT_EQ(static_cast<int64_t>(static_cast<double>(config.head_width) * rotary_share(config)), config.rotated)
          << config.head_width;
    }
  }
}

}  // namespace
}  // namespace rfs
