#include "rfs/interchange/gguf_model.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "rfs/core/error.h"
#include "rfs/core/format.h"

namespace rfs {
namespace {

uint32_t size(int64_t value) {
  return static_cast<uint32_t>(value);
}

/// llama.cpp divides each pair's frequency by its factor.
torch::Tensor llama3_factors(const CheckpointConfig& c) {
  std::vector<float> factors;
  for (int64_t k = 0; k < c.rotated / 2; ++k) {
    const double frequency = std::pow(c.base, -2 * static_cast<double>(k) / static_cast<double>(c.rotated));
    const double rotations = static_cast<double>(c.original_length) * frequency / (2 * std::numbers::pi);
    const double kept = std::clamp((rotations - 1) / 3, 0.0, 1.0);
    factors.push_back(static_cast<float>(1 / (kept + (1 - kept) / c.factor)));
  }
  return torch::tensor(factors);
}

void add_rope(GgufFile& file, const std::string& architecture, const CheckpointConfig& c) {
  const auto add = [&](const std::string& key, GgufFile::Value value) {
    file.metadata.emplace_back(architecture + ".rope." + key, value);
  };
  add("dimension_count", size(c.rotated));
  add("freq_base", static_cast<float>(c.base));
  switch (c.scaling) {
    case RopeScaling::linear:
      add("scaling.type", std::string("linear"));
      add("scaling.factor", static_cast<float>(c.factor));
      return;
    case RopeScaling::yarn:
      add("scaling.type", std::string("yarn"));
      add("scaling.factor", static_cast<float>(c.factor));
      add("scaling.original_context_length", size(c.original_length));
      return;
    case RopeScaling::llama3:
      file.tensors.emplace_back("rope_freqs.weight", llama3_factors(c));
      return;
    case RopeScaling::none:
    case RopeScaling::ntk:
    case RopeScaling::dynamic_ntk:
    case RopeScaling::longrope:
      return;
  }
}

}  // namespace

GgufFile gguf_file(const ModelFamily& family, const CheckpointConfig& c, const TensorFile& weights,
                   const GgufTokenizer& tokenizer, const std::string& name, const std::string& where) {
  if (const auto refusal = family.gguf_refusal(c); !refusal.empty()) {
    throw Error(rfs::format("{}: cannot export to GGUF: {}", where, refusal));
  }
  GgufFile file;
  const std::string architecture = family.gguf();
  const auto add = [&](const std::string& key, GgufFile::Value value) { file.metadata.emplace_back(key, value); };
  const auto add_own = [&](const std::string& key, GgufFile::Value value) { add(architecture + "." + key, value); };
  add("general.architecture", architecture);
  add("general.name", name);
  add("general.file_type", uint32_t{0});  // all float32
  add_own("context_length", size(c.tokens));
  add_own("embedding_length", size(c.width));
  add_own("block_count", size(c.layers));
  add_own("feed_forward_length", size(c.feed_width));
  add_own("attention.head_count", size(c.heads));
  add_own(c.norm == Norm::layer ? "attention.layer_norm_epsilon" : "attention.layer_norm_rms_epsilon",
          static_cast<float>(c.norm_epsilon));
  if (c.norm == Norm::rms) {
    add_own("attention.head_count_kv", size(c.kv_heads));
    add_own("attention.key_length", size(c.head_width));
    add_own("attention.value_length", size(c.head_width));
  }
  if (architecture == "gptneox") add_own("use_parallel_residual", c.parallel);
  if (c.rotated > 0) add_rope(file, architecture, c);
  add_own("vocab_size", size(c.vocabulary));
  file.metadata.insert(file.metadata.end(), tokenizer.metadata.begin(), tokenizer.metadata.end());
  for (const auto& tensor : family.tensors(c)) {
    torch::Tensor value = *weights.find(tensor.ours);
    if (!family.gguf_has_pairs()) value = halves_from_pairs(tensor.ours, value, c);
    file.tensors.emplace_back(tensor.gguf, value.narrow(0, tensor.begin, tensor.rows()));
  }
  // llama.cpp requires a separate output head in this architecture. In the others it uses the embedding.
  if (c.tied && architecture == "gptneox")
    file.tensors.emplace_back("output.weight", *weights.find("embedding.weight"));
  return file;
}

}  // namespace rfs
