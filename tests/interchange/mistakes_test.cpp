// What is wrong with a checkpoint that cannot be imported: malformed, damaged, or with a feature that rfs does not
// support.

#include <cmath>
#include <cstdlib>

#include "checkpoints.h"
#include "rfs/core/error.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

class Mistakes : public Folder {
 protected:
  /// The error of an import of the golden folder, with its config changed by a JSON patch.
  std::string says(const Json& patch) {
    auto config = Json::parse(read_file(golden / "neox/linear/config.json"));
    config.merge_patch(patch);
    write_file(path / "config.json", config.dump());
    fs::copy(golden / "neox/linear/model.safetensors", path, fs::copy_options::skip_existing);
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
      {{{"model_type", "lama"}}, "unknown 'model_type' 'lama' (did you mean 'llama'?)"},
      {{{"model_type", nullptr}}, "unknown 'model_type' ''"},
      {{{"quantization_config", {{"bits", 4}}}}, "'quantization_config' is not supported"},
      {{{"hidden_act", "relu"}}, "'hidden_act' must be gelu, gelu_new or gelu_pytorch_tanh or gelu_fast, got \"relu\""},
      {{{"attention_bias", false}}, "'attention_bias' must be true"},
      {{{"hidden_size", "24"}}, "'hidden_size' must be an integer from 1 to 65536, got \"24\""},
      {{{"hidden_size", nullptr}}, "'hidden_size' must be an integer from 1 to 65536, got null"},
      {{{"hidden_size", 25}}, "'hidden_size' must be a multiple of 3 heads, got 25"},
      {{{"num_hidden_layers", 0}}, "'num_hidden_layers' must be an integer from 1 to 1000, got 0"},
      {{{"num_hidden_layers", 3}}, "the tensor 'gpt_neox.layers.2.input_layernorm.weight' is missing"},
      {{{"num_hidden_layers", 1}}, "unknown tensor 'gpt_neox.layers.1."},
      {{{"vocab_size", 12}}, "'gpt_neox.embed_in.weight' must have shape [12, 24], as config.json says, got [11, 24]"},
      {{{"intermediate_size", 21}}, "mlp.dense_h_to_4h.weight' must have shape [21, 24]"},
      {{{"tie_word_embeddings", false}}, "the tensor 'embed_out.weight' is missing"},
      {{{"tie_word_embeddings", "yes"}}, "'tie_word_embeddings' must be true or false"},
      {{{"hidden_sise", 3}}, "unknown key 'hidden_sise' (did you mean 'hidden_size'?)"},
      {{{"rope_parameters", {{"rope_type", "dynamic"}}}},
       "rope_parameters: 'rope_type' must be default, linear, yarn or llama3 (rfs imports no other RoPE scaling)"},
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
  fs::copy(golden / "neox/linear/config.json", path);
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

TEST_F(Mistakes, InLlamaConfigsAreNamed) {
  fs::copy(golden / "families/llama3", path);
  const auto original = Json::parse(read_file(path / "config.json"));
  const std::vector<std::pair<Json, std::string>> rows = {
      {{{"hidden_act", "gelu"}}, "'hidden_act' must be silu (rfs has only SwiGLU here), got \"gelu\""},
      {{{"attention_bias", true}}, "'attention_bias' must be equal in both"},
      {{{"num_key_value_heads", 3}}, "'num_key_value_heads' must be a divisor of 4 heads, got 3"},
      {{{"rope_parameters", {{"low_freq_factor", 2}}}}, "'low_freq_factor' must be 1 (as in every Llama 3), got 2"},
      {{{"rope_parameters", {{"rope_type", "longrope"}}}}, "'rope_type' must be default, linear, yarn or llama3"},
      {{{"rope_parameters",
         {{"rope_type", "yarn"}, {"low_freq_factor", nullptr}, {"high_freq_factor", nullptr}, {"beta_fast", 16}}}},
       "'beta_fast' must be 32"},
      {{{"hidden_size", 1 << 20}}, "'hidden_size' must be an integer from 1 to 65536, got 1048576"},
      {{{"num_hidden_layers", 1e30}}, "'num_hidden_layers' must be an integer from 1 to 1000"},
      {{{"num_hidden_layers", 1000}}, "the tensor 'model.layers.4."},
      {{{"vocab_size", 1 << 30}}, "must have shape [1073741824, 24]"},
      {{{"attn_logit_softcapping", 30.0}}, "unknown key 'attn_logit_softcapping'"},
      {{{"model_type", "mistral"}, {"architectures", nullptr}, {"sliding_window", -1}},
       "'sliding_window' must be an integer from 1"},
      {{{"model_type", "qwen2"}, {"architectures", nullptr}, {"layer_types", {"full_attention"}}},
       "'layer_types' must be a list with one entry"},
      {{{"model_type", "qwen2"}, {"architectures", nullptr}}, "q_proj.bias' is missing"},
      {{{"model_type", "qwen3"}, {"architectures", nullptr}}, "q_norm.weight' is missing"},
      {{{"model_type", "smollm3"}, {"architectures", nullptr}, {"use_sliding_window", true}},
       "rfs imports SmolLM3 without attention windows"},
      {{{"model_type", "gpt2"}, {"architectures", nullptr}}, "'n_embd' must be an integer"}};
  for (const auto& [patch, line] : rows) {
    Json config = original;
    config.merge_patch(patch);
    write_file(path / "config.json", config.dump());
    EXPECT_NE(message().find(line), std::string::npos) << patch << "\n" << message();
  }
}

TEST_F(Mistakes, InTensorsAreNamed) {
  const TensorFile whole = read_tensors(golden / "families/llama/model.safetensors");
  fs::copy(golden / "families/llama/config.json", path);
  const std::string name = "model.layers.1.mlp.up_proj.weight";
  const auto with = [&](const torch::Tensor& tensor) {
    TensorFile file = whole;
    for (auto& [key, value] : file.tensors) {
      if (key == name) value = tensor;
    }
    write_tensors(path / "model.safetensors", file);
  };
  with(torch::zeros({20, 24}, torch::kInt32));
  EXPECT_NE(message().find("'" + name + "' must be a floating-point tensor"), std::string::npos) << message();
  with(torch::full({20, 24}, std::nan("")));
  const Checkpoint checkpoint = read_hf(path);
  EXPECT_THROW(decoder_of(checkpoint), Error);

  fs::remove(path / "model.safetensors");
  Json index = {{"weight_map", Json::object()}};
  for (const auto& [key, value] : whole.tensors) index["weight_map"][key] = "a";
  index["weight_map"][name] = "b";
  write_file(path / "model.safetensors.index.json", index.dump());
  write_tensors(path / "a", whole);
  write_tensors(path / "b", TensorFile{{{"model.norm.weight", torch::ones(24)}}, {}});
  EXPECT_NE(message().find("the tensor 'model.norm.weight' is in a and in b"), std::string::npos) << message();
  write_tensors(path / "b", TensorFile{{{"other", torch::ones(24)}}, {}});
  EXPECT_NE(message().find("the tensor '" + name + "' is not in b"), std::string::npos) << message();
  for (const char* outside : {"/etc/passwd", "../a", "..", "x/../a", ""}) {
    index["weight_map"][name] = outside;
    write_file(path / "model.safetensors.index.json", index.dump());
    EXPECT_NE(message().find("must name a file in this folder"), std::string::npos) << message();
  }
}

/// Changes some bytes: flips, removes or repeats them.
std::string damaged(std::string content, Stream& stream) {
  for (uint64_t changes = 1 + stream.below(3); changes > 0 && !content.empty(); --changes) {
    const auto at = static_cast<size_t>(stream.below(content.size())), size = static_cast<size_t>(stream.below(20));
    switch (stream.below(4)) {
      case 0:
        content[at] = static_cast<char>(stream.bits());
        break;
      case 1:
        content.erase(at, size);
        break;
      case 2:
        content.insert(at, content.substr(at / 2, size));
        break;
      default:
        content.resize(at);
    }
  }
  return content;
}

// Each file of a checkpoint is loaded, or refused with a one-line error. RFS_FUZZ=2000 tries 2,000 files of each.
TEST_F(Mistakes, InDamagedFilesAreNamed) {
  const char* given = std::getenv("RFS_FUZZ");
  const uint64_t rounds = given ? std::strtoull(given, nullptr, 10) : 25;
  for (const std::string name : {"families/llama3", "families/gpt2", "families/qwen2-window", "neox/linear"}) {
    const std::string config = read_file(golden / name / "config.json"),
                      weights = read_file(golden / name / "model.safetensors");
    const TensorFile file = read_tensors(golden / name / "model.safetensors");
    Json index = {{"weight_map", Json::object()}};
    for (const auto& [key, value] : file.tensors) index["weight_map"][key] = "model-1.safetensors";
    for (uint64_t round = 0; round < rounds; ++round) {
      Stream stream(7, "fuzz " + name, round);
      const uint64_t part = stream.below(3);
      fs::remove_all(path);
      fs::create_directories(path);
      write_file(path / "config.json", part == 0 ? damaged(config, stream) : config);
      // Most of the file is weights, and most damage there is harmless: damage the header.
      const size_t header = std::min<size_t>(weights.size(), 4000);
      const std::string content =
          part == 1 ? damaged(weights.substr(0, header), stream) + weights.substr(header) : weights;
      write_file(path / (part == 2 ? "model-1.safetensors" : "model.safetensors"), content);
      if (part == 2) write_file(path / "model.safetensors.index.json", damaged(index.dump(), stream));
      try {
        decoder_of(read_hf(path));
      } catch (const Error& error) {
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
      } catch (const std::exception& error) {
        ADD_FAILURE() << name << ", round " << round << ": " << error.what();
      }
    }
  }
}

}  // namespace
}  // namespace rfs
