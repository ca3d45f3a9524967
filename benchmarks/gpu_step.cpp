// Measures a training step on the GPU: `rfs_gpu_benchmark t5|gpt2|llama [steps] [rows] [tokens] [warm-up] [key=value
// ...]`. Prints one line of JSON, like the programs in peers/. The last arguments are settings, such as
// train.tier=fused, encoding.use=kerple or attention.use=ssmax.
//
//   t5           t5-base, RoPE and random_float, dropout 0.1; packed batches of 64 sequences with the lengths of the
//                copy task (n = 2 .. 20 words, 7 + 2 n tokens)
//   gpt2, llama  that preset, RoPE and random_float, no dropout; rows x tokens

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "rfs/core/format.h"
#include "rfs/core/random.h"
#include "rfs/core/settings.h"
#include "rfs/core/version.h"
#include "rfs/model/settings.h"
#include "rfs/train/make_trainer.h"

namespace {

rfs::Examples copy_like(int64_t count) {
  rfs::Examples examples;
  rfs::Stream stream(1, "benchmark");
  for (int64_t i = 0; i < count; ++i) {
    const auto words = static_cast<int64_t>(2 + stream.below(19));
    std::vector<int32_t> row;
    for (int64_t k = 0; k < 7 + 2 * words; ++k) row.push_back(static_cast<int32_t>(stream.below(32'128)));
    examples.add(row, 6 + words, words);
  }
  return examples;
}

rfs::Examples windows(int64_t count, int64_t tokens) {
  rfs::Stream stream(1, "benchmark");
  const auto text = std::make_shared<std::vector<int32_t>>();
  for (int64_t i = 0; i <= count * tokens; ++i) text->push_back(static_cast<int32_t>(stream.below(50'257)));
  return {text, *text, tokens};
}

}  // namespace

int main(int argc, char** argv) {
  const auto number = [&](int i, int64_t otherwise) { return argc > i ? std::atoll(argv[i]) : otherwise; };
  const std::string model = argc > 1 ? argv[1] : "t5";
  const bool language = model != "t5";
  const int64_t steps = number(2, 200), rows = number(3, language ? 32 : 64), tokens = number(4, 1024);
  auto settings = rfs::Settings::from_text(language ? "[model]\npreset = '" + model +
                                                          "'\ndropout = 0.0\n[train]\n"
                                                          "learning_rate = 6e-4\n"
                                                    : "[model]\npreset = 't5-base'\n",
                                           "benchmark");
  std::string name = rfs::format("rfs {}", rfs::version);
  for (int i = 6; i < argc; ++i) {
    settings.assign(argv[i]);
    name += rfs::format(" {}", argv[i]);
  }
  settings.assign(rfs::format("train.batch={}", rows));
  const auto examples = language ? windows(4 * rows, tokens) : copy_like(10'000);
  const auto read = rfs::ModelSettings::read(settings);
  const auto options = rfs::TrainOptions::read(settings.find("train"));
  const std::shared_ptr<const rfs::OptimizerRule> optimizer =
      rfs::Choice<rfs::OptimizerRule>::read(settings.find("optimizer"), "adamw").make();
  const auto spec = read.spec(language ? 50'257 : 32'128, examples.trained_length());
  const auto setup = rfs::train_setup(spec, options, 1, *optimizer);
  rfs::Decoder decoder(spec, torch::kFloat32, setup.decoder);
  decoder.initialise(1);
  const auto trainer = rfs::make_trainer(setup, decoder, read.tracks(), examples, examples.trained_length(), options,
                                         rfs::Ranks::alone(), optimizer);
  std::fprintf(stderr, "%s\n", trainer->device_text().c_str());

  trainer->advance(number(5, 100));  // captures the graphs of all buckets
  std::vector<double> milliseconds;
  double all_tokens = 0, loss = 0;
  constexpr int64_t together = 20;
  for (int64_t done = 0; done < steps; done += together) {
    const auto begin = std::chrono::steady_clock::now();
    const auto made = trainer->advance(together);
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
    milliseconds.push_back(time.count() / together);
    for (const auto& step : made) all_tokens += static_cast<double>(step.tokens);
    loss = made.back().loss;
  }
  std::sort(milliseconds.begin(), milliseconds.end());
  const auto quantile = [&](double q) {
    return milliseconds[static_cast<size_t>(q * static_cast<double>(milliseconds.size() - 1))];
  };
  const double a_step = all_tokens / static_cast<double>(together * static_cast<int64_t>(milliseconds.size()));
  std::fputs(
      rfs::format("{{\"name\": \"{}\", \"model\": \"{}\", \"ms_per_step\": {:.4f}, \"ms_quartiles\": [{:.4f}, {:.4f}], "
                  "\"tokens_per_step\": {:.1f}, \"ktok_per_s\": {:.1f}, \"memory_bytes\": {:.0f}, \"loss\": {:.5f}}}\n",
                  name, model, quantile(.5), quantile(.25), quantile(.75), a_step, a_step / quantile(.5),
                  trainer->memory().needed, loss)
          .c_str(),
      stdout);
}
