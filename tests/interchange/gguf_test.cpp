// GGUF files: the container byte by byte, and the order of tensors in each architecture.

#include <cstring>

#include "checkpoints.h"
#include "rfs/core/error.h"
#include "rfs/interchange/gguf_model.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;

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

torch::Tensor in(const GgufFile& file, const std::string& name) {
  for (const auto& [key, tensor] : file.tensors) {
    if (key == name) return tensor;
  }
  return {};
}

GgufFile gguf_of(const Checkpoint& checkpoint) {
  return gguf_file(*checkpoint.family, checkpoint.config, weights(decoder_of(checkpoint)), {}, "name", "test");
}

TEST(Gguf, HasHalvesByKindAndAHeadOfItsOwnForNeox) {
  const GgufFile file = gguf_of(read_hf(golden / "neox/linear"));
  const TensorFile hf = read_tensors(golden / "neox/linear/model.safetensors");
  EXPECT_TRUE(torch::equal(in(file, "output.weight"), *hf.find("gpt_neox.embed_in.weight")));
  const auto& heads = *hf.find("gpt_neox.layers.1.attention.query_key_value.weight");
  EXPECT_TRUE(torch::equal(in(file, "blk.1.attn_qkv.weight").narrow(0, 8, 8), heads.narrow(0, 24, 8)));  // second query
  EXPECT_TRUE(torch::equal(in(file, "blk.1.attn_qkv.weight").narrow(0, 24, 8), heads.narrow(0, 8, 8)));  // first key
}

// llama.cpp rotates neighbouring pairs in Llama and halves in Qwen.
TEST(Gguf, HasTheOrderOfEachArchitecture) {
  const GgufFile llama = gguf_of(read_hf(golden / "families/llama3")),
                 qwen = gguf_of(read_hf(golden / "families/qwen2"));
  const TensorFile llama_hf = read_tensors(golden / "families/llama3/model.safetensors"),
                   qwen_hf = read_tensors(golden / "families/qwen2/model.safetensors");
  const auto key = llama_hf.find("model.layers.1.self_attn.k_proj.weight")->to(torch::kFloat32);  // 2 heads of 6
  const auto pairs = key.view({2, 2, 3, -1}).transpose(1, 2).reshape(key.sizes());
  EXPECT_TRUE(torch::equal(in(llama, "blk.1.attn_k.weight"), pairs));
  EXPECT_TRUE(torch::equal(in(qwen, "blk.1.attn_k.bias"),
                           qwen_hf.find("model.layers.1.self_attn.k_proj.bias")->to(torch::kFloat32)));
  const auto factors = in(llama, "rope_freqs.weight");
  ASSERT_EQ(factors.sizes(), torch::IntArrayRef({3}));
  EXPECT_EQ(factors[0].item<float>(), 1);  // rotates more than four times within the original length
  EXPECT_FLOAT_EQ(factors[2].item<float>(), 4);
}

TEST(Gguf, RefusesWhatLlamaCppDoesNotCompute) {
  for (const char* name : {"families/mistral", "families/qwen2-window", "families/pythia"}) {
    EXPECT_THROW(gguf_of(read_hf(golden / name)), Error) << name;
  }
  EXPECT_NO_THROW(gguf_of(read_hf(golden / "families/smollm3")));
  EXPECT_NO_THROW(gguf_of(read_hf(golden / "families/gpt2")));
}

}  // namespace
}  // namespace rfs
