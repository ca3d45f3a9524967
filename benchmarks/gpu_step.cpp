// One training step on the GPU, timed: `rfs_gpu_benchmark t5|gpt2 [steps] [rows] [tokens] [warm-up] [group]`. Prints
// one line of JSON, like the peers beside it. `group` 1: as one of several ranks would, with NCCL in the graph, alone.
//
//   t5    t5-base, batches of 64 sequences of the copy task's lengths (2 .. 20 words, 7 + 2 n tokens), RoPE and
//         random_float, dropout 0.1, packed
//   gpt2  gpt2, rows x tokens, RoPE and random_float, no dropout

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "rfs/core/format.h"
#include "rfs/core/random.h"
#include "rfs/core/settings.h"
#include "rfs/core/version.h"
#include "rfs/engine/device_training.h"
#include "rfs/train/order.h"

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
  const bool gpt2 = argc > 1 && std::string(argv[1]) == "gpt2";
  const int64_t steps = number(2, 200), rows = number(3, gpt2 ? 32 : 64), tokens = number(4, 1024);
  const auto settings = rfs::Settings::from_text(
      gpt2 ? "[model]\npreset = 'gpt2'\ndropout = 0.0\n" : "[model]\npreset = 't5-base'\n", "benchmark");
  rfs::Decoder decoder(rfs::DecoderOptions::read(settings.find("model")), gpt2 ? 50'257 : 32'128,
                       rfs::Choice<rfs::PositionEncoding>::read(nullptr, "rope").make());
  decoder.initialise(1);
  const auto examples = gpt2 ? windows(4 * rows, tokens) : copy_like(10'000);
  const rfs::Order order(examples.size(), 1);
  rfs::DeviceTraining::Options options;
  options.update = {gpt2 ? 6e-4 : 3e-5, 0.05, 0.9, 0.999, 1e-8, 1.0, 2'400, 40'000};
  options.order = order.network();
  options.draw = {rfs::DeviceDraw::sorted_floats, rfs::DeviceDraw::uniform, 1000, 0, rfs::stream_key(1, "positions")};
  options.batch = static_cast<int>(rows);
  options.dropout = rfs::device_dropout({decoder.options().dropout, rfs::stream_key(1, "dropout"), {}});
  std::unique_ptr<rfs::DeviceGroup> group;
  if (number(6, 0) == 1) group = rfs::join_group(rfs::new_group_name(), 0, 1);
  options.group = group.get();
  rfs::DeviceTraining training(decoder, rfs::DType::bf16, examples, order, options);

  training.advance(number(5, 100));  // every bucket's graph is made here
  std::vector<double> milliseconds;
  double all_tokens = 0, loss = 0;
  constexpr int64_t together = 20;
  for (int64_t done = 0; done < steps; done += together) {
    const auto begin = std::chrono::steady_clock::now();
    const auto lines = training.advance(together);
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
    milliseconds.push_back(time.count() / together);
    for (const auto& line : lines) all_tokens += line.tokens;
    loss = lines.back().loss;
  }
  std::sort(milliseconds.begin(), milliseconds.end());
  const auto quantile = [&](double q) {
    return milliseconds[static_cast<size_t>(q * static_cast<double>(milliseconds.size() - 1))];
  };
  const double a_step = all_tokens / static_cast<double>(together * static_cast<int64_t>(milliseconds.size()));
  std::fputs(
      rfs::format(
          "{{\"name\": \"rfs {}\", \"model\": \"{}\", \"ms_per_step\": {:.4f}, \"ms_quartiles\": [{:.4f}, {:.4f}], "
          "\"tokens_per_step\": {:.1f}, \"ktok_per_s\": {:.1f}, \"memory_bytes\": {}, \"loss\": {:.5f}}}\n",
          rfs::version, gpt2 ? "gpt2" : "t5", quantile(.5), quantile(.25), quantile(.75), a_step, a_step / quantile(.5),
          training.bytes(), loss)
          .c_str(),
      stdout);
}
