#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "rfs/core/files.h"
#include "rfs/train/session.h"
#include "rfs/train/torch_trainer.h"

namespace rfs {

/// A run small enough to train in a test. It has dropout, so that it uses every random stream.
struct Small {
  Settings settings = Settings::from_text(
      "[task]\nwords = 5\ntrain_lengths = [2, 4]\ntest_lengths = [5, 6]\ntrain_samples = 50\nvalidation_samples = 2\n"
      "test_samples = 2\n[model]\npreset = 'tiny'\nlayers = 1\nwidth = 16\nheads = 2\nhead_width = 8\nfeed_width = 16\n"
      "dropout = 0.1\n[train]\nsteps = 30\nbatch = 8\nlearning_rate = 1e-2\nwarmup = 3\nlog_every = "
      "5\ncheckpoint_every = 7\n",
      "test");
  std::unique_ptr<Task> task = Choice<Task>::read(settings.find("task"), "copy").make();
  std::unique_ptr<Tokenizer> tokenizer = Choice<Tokenizer>::read(nullptr, "words").make();
  std::unique_ptr<PositionIndexing> indexing = Choice<PositionIndexing>::read(nullptr, "random_float").make();
  Examples examples;
  TrainOptions options;
  std::unique_ptr<Decoder> decoder;
  std::unique_ptr<TorchTrainer> trainer;

  explicit Small(int64_t seed = 1) {
    tokenizer->learn(task->vocabulary());
    examples = tokenize(task->samples(Split::train, *tokenizer), *tokenizer);
    options = TrainOptions::read(settings.find("train"));
    options.seed = seed;
    decoder = std::make_unique<Decoder>(DecoderOptions::read(settings.find("model")), tokenizer->size(),
                                        Choice<PositionEncoding>::read(nullptr, "rope").make());
    decoder->initialise(static_cast<uint64_t>(seed));
    trainer = std::make_unique<TorchTrainer>(*decoder, *indexing, examples, examples.longest(), options);
  }
  const torch::Tensor& weights() const { return decoder->parameters().flat(); }
  std::optional<TrainRecord> train(const Run& run, const TrainHooks& hooks = {}) {
    return rfs::train(run, *decoder, *trainer, options, examples.longest(), hooks);
  }
};

class Training : public testing::Test {
 protected:
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("rfs_train_test_" + std::to_string(getpid()));
  void SetUp() override { write_file(folder / "settings.toml", "[train]\n"); }
  void TearDown() override { std::filesystem::remove_all(folder); }
};

}  // namespace rfs
