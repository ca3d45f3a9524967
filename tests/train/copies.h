#pragma once

#include <gtest/gtest.h>

#include "rfs/core/random.h"
#include "rfs/engine/engine.h"
#include "rfs/train/fused_trainer.h"
#include "rfs/train/gpu_trainer.h"
#include "rfs/train/make_trainer.h"

namespace rfs {

/// A small model on the copy task, for trainers on a GPU.
struct Copies {
  explicit Copies(const std::string& positions = "[positions]\nuse = 'random_float'\n", double dropout = 0.1,
                  const std::string& block = "preset = 't5-base'\n", const std::string& way = "rope") {
    const auto settings =
        Settings::from_text(positions + "[encoding]\nuse = '" + way + "'\n[model]\n" + block +
                                "layers = 2\nwidth = 128\nheads = 2\nhead_width = 64\n" +
                                "feed_width = 256\ndropout = " + std::to_string(dropout) +
                                "\n[train]\nsteps = 400\nwarmup = 20\nbatch = 24\n" + "learning_rate = 1e-3\n",
                            "test");
    indexing = Choice<PositionIndexing>::read(settings.find("positions"), "random_float").make();
    model = DecoderOptions::read(settings.find("model"));
    options = TrainOptions::read(settings.find("train"));
    encoding = Choice<PositionEncoding>::read(settings.find("encoding"), "rope").make();
    Stream stream(9, "test");
    for (int64_t i = 0; i < 500; ++i) {  // the copy task: n words, a separator, the same words, an end token
      const auto words = static_cast<int64_t>(2 + stream.below(30));
      std::vector<int32_t> row;
      for (int64_t k = 0; k < words; ++k) row.push_back(static_cast<int32_t>(2 + stream.below(20)));
      row.push_back(0);
      for (int64_t k = 0; k < words; ++k) row.push_back(row[static_cast<size_t>(k)]);
      row.push_back(1);
      examples.add(row, words + 1, words);
    }
    decoder = std::make_unique<Decoder>(model, 30, encoding);
    decoder->initialise(7);
  }

  std::unique_ptr<Trainer> gpu(DType dtype) const {
    return make_gpu_trainer(*decoder, *indexing, examples, examples.longest(), options, dtype);
  }

  /// A trainer of the fused tier with its own copy of the decoder on the GPU.
  struct Fused {
    std::unique_ptr<Decoder> decoder;
    std::unique_ptr<Trainer> trainer;
  };
  Fused fused(DType dtype, const std::string& rule = "adamw", int64_t rank = 0) const {
    Fused made{std::make_unique<Decoder>(decoder->spec(), torch::kFloat32, torch::kCUDA), nullptr};
    {
      const torch::NoGradGuard no_gradient;
      made.decoder->parameters().flat().copy_(decoder->parameters().flat());
    }
    made.trainer = make_fused_trainer(*made.decoder, *indexing, examples, examples.longest(), options, dtype,
                                      Choice<OptimizerRule>::read(nullptr, rule).make(),
                                      rank > 0 ? std::make_shared<Adapters>(*made.decoder, rank, 16.0, 1) : nullptr);
    return made;
  }

  /// All examples as one stream, cut into windows.
  Examples windows(int64_t tokens) const {
    const auto stream = std::make_shared<std::vector<int32_t>>();
    for (int64_t i = 0; i < examples.size(); ++i) {
      const auto row = examples.row(i);
      stream->insert(stream->end(), row.begin(), row.end());
    }
    return {stream, *stream, tokens};
  }

  std::shared_ptr<PositionIndexing> indexing;
  std::shared_ptr<PositionEncoding> encoding;
  DecoderOptions model;
  TrainOptions options;
  Examples examples;
  std::unique_ptr<Decoder> decoder;
};

class GpuTrainer : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto refusal = device_refusal(); !refusal.empty()) GTEST_SKIP() << "NOT TESTED: " << refusal;
  }
};

}  // namespace rfs
