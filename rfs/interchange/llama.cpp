#include "rfs/interchange/llama.h"

namespace rfs {

GgufFile llama_file(const NeoxConfig& c, const TensorFile& weights, const std::optional<Bpe>& bpe,
                    const std::string& name) {
  GgufFile file;
  const auto add = [&](const std::string& key, GgufFile::Value value) { file.metadata.emplace_back(key, value); };
  const auto size = [](int64_t value) { return static_cast<uint32_t>(value); };
  add("general.architecture", std::string("gptneox"));
  add("general.name", name);
  add("general.file_type", uint32_t{0});  // all float32
  add("gptneox.context_length", size(c.tokens));
  add("gptneox.embedding_length", size(c.width));
  add("gptneox.block_count", size(c.layers));
  add("gptneox.feed_forward_length", size(c.feed_width));
  add("gptneox.attention.head_count", size(c.heads));
  add("gptneox.attention.layer_norm_epsilon", static_cast<float>(c.norm_epsilon));
  add("gptneox.use_parallel_residual", false);
  add("gptneox.rope.dimension_count", size(c.rotated));
  add("gptneox.rope.freq_base", static_cast<float>(c.base));
  add("gptneox.vocab_size", size(c.vocabulary));
  if (c.factor != 1) {
    add("gptneox.rope.scaling.type", std::string("linear"));
    add("gptneox.rope.scaling.factor", static_cast<float>(c.factor));
  }
  if (bpe) {
    constexpr int32_t normal = 1, control = 3;
    std::vector<int32_t> kinds(bpe->tokens.size(), normal);
    kinds.at(static_cast<size_t>(c.end)) = control;
    add("tokenizer.ggml.model", std::string("gpt2"));
    add("tokenizer.ggml.pre", std::string("gpt-2"));
    add("tokenizer.ggml.tokens", bpe->tokens);
    add("tokenizer.ggml.token_type", kinds);
    add("tokenizer.ggml.merges", bpe->merge_lines);
    add("tokenizer.ggml.bos_token_id", size(c.end));
    add("tokenizer.ggml.eos_token_id", size(c.end));
    add("tokenizer.ggml.add_bos_token", false);
  } else {
    add("tokenizer.ggml.model", std::string("none"));
  }
  for (const auto& tensor : neox_tensors(c)) {
    const torch::Tensor& value = *weights.find(tensor.ours);
    const bool turns = tensor.ours.find("attention.qkv.") != std::string::npos;
    file.tensors.emplace_back(tensor.gguf, turns ? halves_from_pairs(value, c) : value);
  }
  // llama.cpp requires a separate output head.
  if (c.tied) file.tensors.emplace_back("output.weight", *weights.find("embedding.weight"));
  return file;
}

}  // namespace rfs
