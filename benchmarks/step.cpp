// Measures a training step of the demo's model: batch, forward, backward, clipping, AdamW. Prints one line of JSON,
// like the programs in peers/. `rfs_step_benchmark [steps] [warm-up]`

#include <ATen/Parallel.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "rfs/core/format.h"
#include "rfs/core/memory.h"
#include "rfs/core/version.h"
#include "rfs/train/torch_trainer.h"

int main(int argc, char** argv) {
  const int64_t steps = argc > 1 ? std::max(1LL, std::atoll(argv[1])) : 200,
                warm_up = argc > 2 ? std::atoll(argv[2]) : 20;
  rfs::keep_freed_memory();  // as the program does
  const auto settings = rfs::Settings::from_file(RFS_SOURCE "/experiments/demo.toml");
  const auto task = rfs::Choice<rfs::Task>::read(settings.find("task"), "copy").make();
  const auto tokenizer = rfs::Choice<rfs::Tokenizer>::read(settings.find("tokenizer"), "words").make();
  tokenizer->learn(task->vocabulary());
  const auto examples = rfs::tokenize(task->samples(rfs::Split::train, *tokenizer), *tokenizer);
  const auto indexing = rfs::Choice<rfs::PositionIndexing>::read(nullptr, "random_float").make();
  rfs::Decoder decoder(rfs::DecoderOptions::read(settings.find("model")), tokenizer->size(),
                       rfs::Choice<rfs::PositionEncoding>::read(settings.find("encoding"), "rope").make());
  decoder.initialise(1);
  const auto options = rfs::TrainOptions::read(settings.find("train"));
  rfs::TorchTrainer trainer(decoder, *indexing, examples, examples.longest(), options);

  std::vector<double> milliseconds;
  double loss = 0;
  int64_t tokens = 0;
  for (int64_t i = 0; i < warm_up + steps; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    const auto step = trainer.advance(1).front();
    const auto end = std::chrono::steady_clock::now();
    loss = step.loss;
    if (i < warm_up) continue;
    milliseconds.push_back(std::chrono::duration<double, std::milli>(end - begin).count());
    tokens += step.tokens;
  }
  std::nth_element(milliseconds.begin(), milliseconds.begin() + steps / 2, milliseconds.end());
  std::fputs(rfs::format("{{\"name\": \"rfs {}\", \"ms_per_step\": {:.2f}, \"steps\": {}, \"threads\": {}, "
                         "\"tokens_per_step\": {:.1f}, "
                         "\"loss\": {:.4f}}}\n",
                         rfs::version, milliseconds[static_cast<size_t>(steps / 2)], steps, at::get_num_threads(),
                         static_cast<double>(tokens) / static_cast<double>(steps), loss)
                 .c_str(),
             stdout);
}
