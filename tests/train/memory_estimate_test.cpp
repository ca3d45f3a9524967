// Sizes of the presets, and the memory that training them needs.

#include "rfs/train/memory_estimate.h"

#include <c10/core/Allocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>
#include <gtest/gtest.h>

#include "rfs/core/random.h"
#include "rfs/engine/step_memory.h"
#include "rfs/model/decoder.h"
#include "rfs/run/settings.h"
#include "rfs/train/make_trainer.h"

namespace rfs {
namespace {

RunSettings settings_of(const std::string& preset) {
  return RunSettings::read(Settings::from_text("[model]\npreset = '" + preset + "'\n", "test"));
}

// The published counts, without GPT-2's table of learned positions. The larger models have the same blocks.
TEST(Presets, HaveTheWeightsOfPublishedModels) {
  const auto weights = [](const std::string& preset, int64_t vocabulary) {
    return weight_count(settings_of(preset).spec(vocabulary, 1024));
  };
  EXPECT_EQ(weights("gpt2", 50'257), 124'439'808 - 1024 * 768);
  EXPECT_EQ(weights("gpt2-medium", 50'257), 354'823'168 - 1024 * 1024);
  EXPECT_EQ(weights("gpt2-large", 50'257), 774'030'080 - 1024 * 1280);
  EXPECT_EQ(weights("gpt2-xl", 50'257), 1'557'611'200 - 1024 * 1600);
  EXPECT_EQ(weights("llama-1b", 32'000), 1'100'048'384);
  EXPECT_NEAR(weights("llama-0.5b", 50'257), 0.45e9, 0.01e9);
  EXPECT_NEAR(weights("llama-3b", 32'000), 3.0e9, 0.1e9);
  for (const auto& preset : model_presets()) {
    const auto spec = settings_of(preset).spec(32'000, 1024);
    if (weight_count(spec) > 2e8) continue;  // large to allocate in a test
    EXPECT_EQ(weight_count(spec), static_cast<double>(Decoder(spec).parameters().size())) << preset;
  }
}

/// Counts the memory of tensors on the CPU while it lives.
class PeakMemory : public c10::MemoryReportingInfoBase {
 public:
  void reportMemoryUsage(void*, int64_t bytes, size_t, size_t, c10::Device) override {
    peak_ = std::max(peak_, now_ += bytes);
  }
  bool memoryProfilingEnabled() const override { return true; }
  double peak() const { return static_cast<double>(peak_); }

 private:
  int64_t now_ = 0, peak_ = 0;
};

/// The peak of what an update of a small model allocates, and its estimate.
std::pair<double, double> measured_and_estimated(const std::string& text) {
  const auto settings = RunSettings::read(Settings::from_text(text, "test"));
  constexpr int64_t length = 24, vocabulary = 200;
  Examples examples;
  Stream stream(1, "test");
  for (int i = 0; i < 32; ++i) {
    std::vector<int32_t> row;
    for (int64_t k = 0; k <= length; ++k) row.push_back(static_cast<int32_t>(stream.below(vocabulary)));
    examples.add(row, 1, length);
  }
  Decoder decoder(settings.spec(vocabulary, length));
  decoder.initialise(1);
  const auto trainer = make_trainer(train_setup(decoder.spec(), settings.train), decoder, settings.tracks(), examples,
                                    examples.trained_length(), settings.train);
  trainer->advance(1);
  const auto peak = std::make_shared<PeakMemory>();
  {
    const c10::DebugInfoGuard guard(c10::DebugInfoKind::PROFILER_STATE, peak);
    trainer->advance(1);
  }
  const TrainedModel model{decoder.spec()};
  return {peak->peak(), training_memory(model, settings.train, largest_pass(examples, settings.train)).activations};
}

TEST(MemoryEstimate, IsCloseToTheMeasuredPeak) {
  const std::string rest = "device = 'cpu'\nsteps = 9\nwarmup = 1\nbatch = 32\n";
  const std::string sizes = "layers = 6\nwidth = 96\nheads = 6\nhead_width = 16\nfeed_width = 320\n[train]\n" + rest;
  for (const char* block : {"tiny", "gpt2", "llama"}) {
    for (const char* dropout : {"0.0", "0.1"}) {
      for (const char* recompute : {"", "recompute = true\n"}) {
        for (const char* more : {"", "[encoding]\nuse = 'kerple'\n", "[encoding]\nuse = 't5_bias'\n",
                                 "[attention]\nuse = 'ssmax'\n", "[attention]\nuse = 'asentmax'\n"}) {
          const std::string text = std::string(more) + "[model]\npreset = '" + block + "'\ndropout = " + dropout +
                                   (block == std::string("llama") ? "\nkv_heads = 2\n" : "\n") + sizes + recompute;
          const auto [measured, estimated] = measured_and_estimated(text);
          EXPECT_LT(estimated, 1.25 * measured) << text;
          EXPECT_GT(estimated, measured / 1.25) << text;
        }
      }
    }
  }
}

TEST(MemoryEstimate, ALargeModelFitsOneGpuWithRecomputation) {
  constexpr double gpu = 139.0 * (1 << 30), tokens = 16 * 1024;
  const auto needed = [&](const std::string& preset, Tier tier, bool recompute) {
    auto settings = settings_of(preset);
    settings.train.recompute = recompute;
    settings.train.batch = 16;
    const auto spec = settings.spec(32'000, 1024);
    return training_memory({spec, tier, true}, settings.train, {tokens, tokens, 1024});
  };
  for (const char* preset : {"llama-1b", "gpt2-xl", "llama-3b"}) {
    const auto kept = needed(preset, Tier::fused, false), again = needed(preset, Tier::fused, true);
    EXPECT_LT(again.total(), gpu) << preset;
    EXPECT_LT(again.activations, kept.activations / 3) << preset;
    EXPECT_EQ(again.weights, kept.weights);
    EXPECT_GT(needed(preset, Tier::reference, false).total(), kept.total()) << preset;
  }
  const auto weights = weight_count(settings_of("llama-1b").spec(32'000, 1024));
  EXPECT_EQ(needed("llama-1b", Tier::fused, true).weights, 6 * weights);  // float32, and their copies in bf16
  EXPECT_EQ(needed("llama-1b", Tier::fused, true).optimizer, 8 * weights);
}

TEST(MemoryEstimate, CountsFlashAttentionWhereTheEngineUsesIt) {
  constexpr double rows = 32, tokens = rows * 1024;
  const auto engine = [&](const std::string& more, double longest) {
    const auto settings = RunSettings::read(Settings::from_text("[model]\npreset = 'gpt2'\n" + more, "test"));
    const auto spec = settings.spec(50'257, 1024);
    return std::pair{
        uses_flash(spec, static_cast<int64_t>(longest)),
        training_memory({spec, Tier::engine, true}, settings.train, {tokens, tokens, longest}).activations};
  };
  const std::string plain = "dropout = 0.0\n", window = "[layers.L]\nwindow = 16\n";
  const auto [used, bytes] = engine(plain, 1024);
  EXPECT_TRUE(used);
  // 12 outputs, 13 log-sum-exps, three gradients, and the float32 gradient of the queries.
  const double inner = 768,
               flash = tokens * (12 * 2 * inner + 13 * 4 * 12 + 3 * 2 * inner) + (tokens + 128 * rows) * 4 * inner;
  for (const std::string& other : {plain + "[attention]\nuse = 'ssmax'\n", plain + "[encoding]\nuse = 'alibi'\n",
                                   plain + "[layers]\npattern = 'L'\n" + window, std::string("dropout = 0.1\n")}) {
    EXPECT_FALSE(engine(other, 1024).first) << other;
  }
  EXPECT_NEAR(bytes - engine(plain, 512).second, flash, 1);
  EXPECT_TRUE(engine(plain + "[layers]\npattern = 'LG'\n" + window + "[layers.G]\n", 1024).first);
}

TEST(MemoryEstimate, NamesSettingsThatFit) {
  const auto settings = settings_of("tiny");
  const auto spec = settings.spec(1000, 100);
  Examples examples;
  const std::vector<int32_t> row(101, 1);
  for (int i = 0; i < 100; ++i) examples.add(row, 1, 100);
  TrainOptions options;
  const TrainedModel model{spec};
  const auto needed = [&](bool recompute, int64_t rows) {
    TrainOptions changed = options;
    changed.recompute = recompute;
    changed.micro_batch = rows;
    return training_memory(model, changed, largest_pass(examples, changed)).total();
  };
  const auto fitting = [&](double available) { return fitting_settings(model, options, examples, 1, available); };
  EXPECT_EQ(fitting(needed(true, 64)).find("train.recompute=true, which needs about"), 0u);
  EXPECT_EQ(fitting(needed(false, 32))
                .find(needed(false, 32) < needed(true, 64) ? "train.micro_batch=32, " : "train.recompute=true, "),
            0u);
  EXPECT_EQ(fitting(needed(false, 1)).find("train.micro_batch="), 0u);
  EXPECT_EQ(fitting(4.0 * weight_count(spec)), "");
  // The engine does not recompute: another tier would, unless train.tier asks for the engine.
  const TrainedModel engine{spec, Tier::engine, true}, fused{spec, Tier::fused, true};
  TrainOptions recompute = options;
  recompute.recompute = true;
  const double enough = training_memory(fused, recompute, largest_pass(examples, recompute)).total();
  EXPECT_EQ(fitting_settings(engine, options, examples, 1, enough).find("train.recompute=true, "), 0u);
  options.tier = Tier::engine;
  EXPECT_EQ(fitting_settings(engine, options, examples, 1, enough).find("recompute"), std::string::npos);
  EXPECT_EQ(largest_pass(examples, options).tokens, 6400);
  EXPECT_EQ(largest_pass(examples, options, 2).tokens, 3200);
}

}  // namespace
}  // namespace rfs
