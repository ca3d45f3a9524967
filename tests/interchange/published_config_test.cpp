// Keys of published config.json files: those that change nothing are accepted, unsafe values are refused.

#include "checkpoints.h"
#include "rfs/core/error.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// A published file: the golden model of its family, and the file's keys besides the sizes of the model.
struct Published {
  std::string name, golden;
  Json keys;
};

const Json label = {{"0", "LABEL_0"}};

const std::vector<Published>& published() {
  static const Json gpt2 = {{"activation_function", "gelu_new"},
                            {"architectures", {"GPT2LMHeadModel"}},
                            {"attn_pdrop", 0.1},
                            {"bos_token_id", 5},
                            {"embd_pdrop", 0.1},
                            {"eos_token_id", 5},
                            {"initializer_range", 0.02},
                            {"layer_norm_epsilon", 1e-5},
                            {"n_ctx", 32},
                            {"resid_pdrop", 0.1},
                            {"summary_activation", nullptr},
                            {"summary_first_dropout", 0.1},
                            {"summary_proj_to_labels", true},
                            {"summary_type", "cls_index"},
                            {"summary_use_proj", true},
                            {"task_specific_params", {{"text-generation", {{"do_sample", true}, {"max_length", 50}}}}}};
  static const auto with = [](Json keys, const Json& more) {
    keys.update(more);
    return keys;
  };
  static const Json llama = {{"architectures", {"LlamaForCausalLM"}},
                             {"attention_bias", false},
                             {"attention_dropout", 0.0},
                             {"bos_token_id", 0},
                             {"eos_token_id", 0},
                             {"hidden_act", "silu"},
                             {"initializer_range", 0.02},
                             {"pretraining_tp", 1},
                             {"rope_scaling", nullptr},
                             {"torch_dtype", "bfloat16"},
                             {"transformers_version", "4.40.1"},
                             {"use_cache", true}};
  static const Json qwen = {{"attention_dropout", 0.0},  {"bos_token_id", 5},
                            {"eos_token_id", 5},         {"hidden_act", "silu"},
                            {"initializer_range", 0.02}, {"max_window_layers", 24},
                            {"torch_dtype", "bfloat16"}, {"transformers_version", "4.40.1"},
                            {"use_cache", true},         {"use_sliding_window", false}};
  static const Json neox = {{"architectures", {"GPTNeoXForCausalLM"}},
                            {"bos_token_id", 0},
                            {"eos_token_id", 0},
                            {"initializer_range", 0.02},
                            {"layer_norm_eps", 1e-5},
                            {"rotary_emb_base", 10000},
                            {"torch_dtype", "float16"},
                            {"transformers_version", "4.24.0"},
                            {"use_cache", true}};
  static const std::vector<Published> files = {
      {"gpt2", "gpt2", gpt2},
      {"gpt2-medium and gpt2-large", "gpt2", with(gpt2, {{"n_special", 0}, {"predict_special_tokens", true}})},
      {"gpt2-xl", "gpt2", with(gpt2, {{"n_special", 0}, {"predict_special_tokens", true}, {"output_past", true}})},
      {"distilgpt2", "gpt2", with(gpt2, {{"_num_labels", 1}, {"id2label", label}, {"label2id", {{"LABEL_0", 0}}}})},
      {"Pythia", "pythia",
       with(neox, {{"hidden_act", "gelu"}, {"tie_word_embeddings", false}, {"use_parallel_residual", true}})},
      {"GPT-NeoX-20B", "neox",
       with(neox, {{"hidden_act", "gelu_fast"}, {"attention_probs_dropout_prob", 0}, {"hidden_dropout_prob", 0}})},
      {"Llama 1", "llama",
       with(llama, {{"max_position_embeddings", nullptr}, {"max_sequence_length", 32}, {"pad_token_id", 0}})},
      {"Llama 2", "llama", with(llama, {{"_name_or_path", "a"}, {"max_length", 4096}, {"tie_word_embeddings", false}})},
      {"Llama 3.1", "llama3", with(llama, {{"eos_token_id", {5, 6, 7}}, {"mlp_bias", false}})},
      {"TinyLlama", "llama", llama},
      {"SmolLM", "llama", with(llama, {{"mlp_bias", false}, {"tie_word_embeddings", false}})},
      {"SmolLM2", "llama",
       with(llama, {{"is_llama_config", true},
                    {"rope_interleaved", false},
                    {"pad_token_id", 2},
                    {"transformers.js_config", {{"kv_cache_dtype", {{"fp16", "float16"}}}}}})},
      {"SmolLM3",
       "smollm3",
       {{"architectures", {"SmolLM3ForCausalLM"}},
        {"bos_token_id", 5},
        {"eos_token_id", 6},
        {"pad_token_id", 7},
        {"layer_types", Json(std::vector<std::string>(4, "full_attention"))},
        {"max_window_layers", 28},
        {"mlp_bias", false},
        {"no_rope_layer_interval", 4},
        {"pretraining_tp", 2},
        {"sliding_window", nullptr},
        {"use_cache", false},
        {"use_sliding_window", false}}},
      {"Mistral 7B v0.1",
       "mistral",
       {{"architectures", {"MistralForCausalLM"}}, {"bos_token_id", 1}, {"eos_token_id", 2}, {"sliding_window", 4}}},
      {"Mistral 7B v0.3", "mistral", {{"attention_dropout", 0.0}, {"sliding_window", nullptr}, {"torch_dtype", "b"}}},
      {"Qwen 2", "qwen2", with(qwen, {{"architectures", {"Qwen2ForCausalLM"}}, {"sliding_window", 16}})},
      {"Qwen 2.5", "qwen2",
       with(qwen, {{"architectures", {"Qwen2ForCausalLM"}}, {"sliding_window", 16}, {"use_mrope", false}})},
      {"Qwen 3", "qwen3",
       with(qwen, {{"architectures", {"Qwen3ForCausalLM"}},
                   {"attention_bias", false},
                   {"rope_scaling", nullptr},
                   {"sliding_window", nullptr}})}};
  return files;
}

class PublishedConfig : public Folder {
 protected:
  /// The error of an import of a golden model whose config has these keys, too.
  std::string says(const std::string& name, const Json& keys) {
    fs::remove_all(path);
    fs::copy(golden / "families" / name, path);
    Json config = Json::parse(read_file(path / "config.json"));
    config.update(keys);
    write_file(path / "config.json", config.dump());
    try {
      const Checkpoint checkpoint = read_hf(path);
      tokens = checkpoint.config.tokens;
      decoder_of(checkpoint);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  int64_t tokens = 0;
};

TEST_F(PublishedConfig, IsAccepted) {
  for (const auto& file : published()) {
    EXPECT_EQ(says(file.golden, file.keys), "") << file.name;
    EXPECT_EQ(tokens, 32) << file.name;
  }
}

TEST_F(PublishedConfig, HasNoUnsafeValues) {
  const std::vector<Published> rows = {
      {"'is_llama_config' must be true", "llama", {{"is_llama_config", false}}},
      {"'rope_interleaved' must be false (checkpoints of transformers rotate halves), got true",
       "llama",
       {{"rope_interleaved", true}}},
      {"'use_mrope' must be false", "qwen2", {{"use_mrope", true}}},
      {"'n_special' must be 0", "gpt2", {{"n_special", 3}}},
      {"'pruned_heads' must be {}", "gpt2", {{"pruned_heads", {{"0", {1}}}}}},
      {"'add_cross_attention' must be false", "gpt2", {{"add_cross_attention", true}}},
      {"'cross_attention_hidden_size' must be null", "llama", {{"cross_attention_hidden_size", 8}}},
      {"'is_encoder_decoder' must be false", "llama", {{"is_encoder_decoder", true}}},
      {"'use_sliding_window' must be false", "smollm3", {{"use_sliding_window", true}}},
      {"unknown key 'max_window_layers'", "llama", {{"max_window_layers", 2}}},
      {"'hidden_act' must be gelu, gelu_new or gelu_pytorch_tanh or gelu_fast", "pythia", {{"hidden_act", "silu"}}},
      {"'architectures' must be a list with LlamaForCausalLM (other classes compute something else, or have no output "
       "head), got [\"LlamaModel\"]",
       "llama",
       {{"architectures", {"LlamaModel"}}}},
      {"'architectures' must be a list with GPT2LMHeadModel", "gpt2", {{"architectures", {"GPT2DoubleHeadsModel"}}}},
      {"'architectures' must be a list with", "gpt2", {{"architectures", "GPT2LMHeadModel"}}},
      {"'auto_map' must be absent unless 'architectures' has Qwen2ForCausalLM",
       "qwen2",
       {{"architectures", nullptr}, {"auto_map", {{"AutoModelForCausalLM", "own.Qwen2ForCausalLM"}}}}},
  };
  for (const auto& row : rows) {
    const std::string said = says(row.golden, row.keys);
    EXPECT_NE(said.find(row.name), std::string::npos) << row.keys << "\n" << said;
  }
  EXPECT_EQ(says("llama", {{"architectures", nullptr}}), "");
  EXPECT_EQ(says("llama", {{"auto_map", {{"AutoModelForCausalLM", "own.LlamaForCausalLM"}}}}), "");
}

TEST_F(PublishedConfig, HasNoUnknownKeys) {
  EXPECT_EQ(says("llama", {{"attn_logit_softcapping", 30.0}}),
            (path / "config.json").string() +
                ": unknown key 'attn_logit_softcapping'; it could change what the model computes, so remove it only if "
                "it does not");
  EXPECT_EQ(says("llama", {{"rope_teta", 3}}),
            (path / "config.json").string() +
                ": unknown key 'rope_teta' (did you mean 'rope_theta'?); it could change what the model computes, so "
                "remove it only if it does not");
}

}  // namespace
}  // namespace rfs
