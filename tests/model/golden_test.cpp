// The decoder against values from an independent PyTorch program (tools/golden.py): forward, loss, gradients and three
// optimizer steps. Covers every encoding with the paper's two blocks, Llama's block, SSMax, a layer pattern and
// options of encodings.

#include <gtest/gtest.h>
#include <torch/cuda.h>

#include <filesystem>

#include "rfs/model/decoder.h"
#include "rfs/model/settings.h"
#include "rfs/model/store.h"
#include "rfs/train/optimizer.h"

namespace rfs {
namespace {

using torch::Tensor;

struct Golden {
  TensorFile file;

  explicit Golden(const std::string& name)
      : file(read_tensors(std::filesystem::path(RFS_SOURCE) / "tests/golden" / (name + ".safetensors"))) {}

  const Tensor& operator[](const std::string& name) const { return *file.find(name); }
  const std::string& text(const std::string& key) const { return file.metadata.at(key); }

  Decoder decoder(torch::Dtype dtype, torch::Device device = torch::kCPU) const {
    const auto written = file.metadata.find("settings");
    auto settings = Settings::from_text(written == file.metadata.end() ? "" : written->second, "golden");
    if (written == file.metadata.end()) {
      settings.assign("model.preset=" + std::string(text("block") == "t5" ? "t5-base" : "gpt2"));
      settings.assign("encoding.use=" + text("encoding"));
    }
    if (!settings.find("encoding") || text("encoding") == "rope")
      settings.assign("encoding.share=" + text("rope_share"));
    for (const auto* size : {"layers", "width", "heads", "head_width", "feed_width"}) {
      settings.assign(std::string("model.") + size + "=" + text(size));
    }
    settings.assign("model.dropout=0.0");
    Decoder decoder(ModelSettings::read(settings).spec(std::stoll(text("vocabulary")), 9), dtype, device);
    TensorFile weights;
    for (const auto& [name, tensor] : file.tensors) {
      if (name.starts_with("weights/")) weights.tensors.emplace_back(name.substr(8), tensor);
    }
    EXPECT_EQ(weights.tensors.size(), decoder.parameters().items().size());
    set_weights(decoder, weights, "golden");
    return decoder;
  }

  Batch batch() const {
    const Tensor ids = (*this)["tokens"].to(torch::kInt32);
    const int64_t *offset = (*this)["offsets"].data_ptr<int64_t>(),
                  *begin = (*this)["target_begin"].data_ptr<int64_t>();
    std::vector<Row> rows;
    std::vector<const float*> tracks = {(*this)["positions"].data_ptr<float>()};
    if (const auto* second = file.find("positions.1")) tracks.push_back(second->data_ptr<float>());
    std::vector<std::vector<float>> positions(tracks.size());
    for (int64_t b = 0; b + 1 < (*this)["offsets"].size(0); ++b) {
      const std::span<const int32_t> sequence(ids.data_ptr<int32_t>() + offset[b],
                                              static_cast<size_t>(offset[b + 1] - offset[b]));
      const bool has_target = begin[b] < static_cast<int64_t>(sequence.size());
      rows.push_back(has_target ? sequence_row(sequence, begin[b]) : Row{sequence, {}});
      for (size_t track = 0; track < tracks.size(); ++track) {
        const float* p = tracks[track] + offset[b];
        positions[track].insert(positions[track].end(), p, p + rows.back().tokens.size());
      }
    }
    return pack(rows, positions);
  }
};

double worst(const Tensor& a, const Tensor& b) {
  return (a.cpu().to(torch::kFloat64) - b).abs().max().item<double>();
}

class Goldens : public testing::TestWithParam<std::string> {
 protected:
  Golden golden{GetParam()};
};

/// One file for each registered encoding with each of the paper's blocks, and the files of other models.
std::vector<std::string> names() {
  std::vector<std::string> names = {
      "llama",         "llama-qk_norm", "llama-qkv_bias", "gpt2-ssmax",      "t5-pattern",       "gpt2-scale_invariant",
      "gpt2-asentmax", "gpt2-parallel", "rope-kept",      "rope-ntk",        "rope-dynamic_ntk", "rope-yarn",
      "rope-longrope", "rope-llama3",   "nape-harmonic",  "t5_bias-rounded", "fire-negative"};
  for (const std::string block : {"t5", "gpt2"}) {
    for (const auto& encoding : Registry<PositionEncoding>::names()) {
      if (!encoding.ends_with("_test")) names.push_back(block + "-" + encoding);
    }
  }
  return names;
}

TEST_P(Goldens, ForwardAndGradientsAgree) {
  std::vector<std::pair<torch::Device, Backend>> places = {{torch::kCPU, Backend::reference},
                                                           {torch::kCPU, Backend::automatic}};
  if (torch::cuda::is_available()) places.emplace_back(torch::kCUDA, Backend::reference);
  for (const auto dtype : {torch::kFloat64, torch::kFloat32}) {
    const double tolerance = dtype == torch::kFloat64 ? 1e-11 : 3e-5;
    for (const auto& [device, backend] : places) {
      Decoder decoder = golden.decoder(dtype, device);
      decoder.backend = backend;
      const Batch batch = golden.batch();
      EXPECT_LT(worst(decoder.target_logits(batch).detach(), golden["logits"]), tolerance);
      const Tensor loss = decoder.loss(batch);
      EXPECT_NEAR(loss.item<double>(), golden["loss"].item<double>(), tolerance);
      loss.backward();
      for (const auto& [name, tensor] : decoder.parameters().items()) {
        EXPECT_LT(worst(tensor.grad(), golden["gradients/" + name]), tolerance) << name;
      }
    }
  }
}

// In double precision: if a gradient is zero in exact arithmetic (as for key biases), float32 rounding would decide
// AdamW's direction.
TEST_P(Goldens, ThreeOptimizerStepsAgree) {
  Decoder decoder = golden.decoder(torch::kFloat64);
  TrainOptions options;
  options.weight_decay = 0.05;
  options.clip = 1.0;
  Optimizer optimizer(decoder.parameters(), options);
  const Batch batch = golden.batch();
  for (int64_t step = 0; step < 3; ++step) {
    const Tensor loss = decoder.loss(batch);
    EXPECT_NEAR(loss.item<double>(), golden["losses"][step].item<double>(), 1e-9);
    loss.backward();
    optimizer.update(std::stod(golden.text("learning_rate")));
  }
  for (const auto& [name, tensor] : decoder.parameters().items()) {
    EXPECT_LT(worst(tensor.detach(), golden["after/" + name]), 1e-9) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Files, Goldens, testing::ValuesIn(names()), [](const auto& named) {
  std::string name = named.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace rfs
