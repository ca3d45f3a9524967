// Measures greedy decoding on the GPU: `rfs_decode_benchmark gpt2 [rows] [prompt] [tokens] [key=value ...]`. A model of
// that preset with random weights extends `rows` random prompts of `prompt` tokens by `tokens` tokens each, in bf16.
// Prints one line of JSON, like benchmarks/peers/gpu_generate.py.

#include <torch/cuda.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>

#include "rfs/core/format.h"
#include "rfs/core/random.h"
#include "rfs/core/version.h"
#include "rfs/model/decoding.h"
#include "rfs/model/settings.h"

namespace {

/// Seconds of the prompts' pass and of all steps.
std::pair<double, double> decode(const rfs::Decoder& decoder, const std::vector<rfs::Decoding::Start>& starts,
                                 int64_t tokens) {
  const auto begin = std::chrono::steady_clock::now();
  rfs::Decoding decoding(decoder, starts);
  const auto choose = [&] {
    const auto best = decoding.logits().argmax(1).to(torch::kInt32).cpu();
    return std::vector<int32_t>(best.const_data_ptr<int32_t>(), best.const_data_ptr<int32_t>() + best.numel());
  };
  auto newest = choose();
  const auto prompted = std::chrono::steady_clock::now();
  for (int64_t i = 1; i < tokens; ++i) {
    decoding.step(newest);
    newest = choose();
  }
  const std::chrono::duration<double> first = prompted - begin, rest = std::chrono::steady_clock::now() - prompted;
  return {first.count(), rest.count()};
}

}  // namespace

int main(int argc, char** argv) {
  const auto number = [&](int i, int64_t otherwise) { return argc > i ? std::atoll(argv[i]) : otherwise; };
  const std::string model = argc > 1 ? argv[1] : "gpt2";
  const int64_t rows = number(2, 1), prompt = number(3, 128), tokens = number(4, 256);
  auto settings = rfs::Settings::from_text("[model]\npreset = '" + model + "'\n", "benchmark");
  for (int i = 5; i < argc; ++i) settings.assign(argv[i]);
  rfs::Decoder decoder(rfs::ModelSettings::read(settings).spec(50'257, prompt + tokens), torch::kFloat32, torch::kCUDA);
  decoder.initialise(1);
  decoder.use_kernels(rfs::DType::bf16);

  rfs::Stream stream(1, "benchmark");
  std::vector<std::vector<int32_t>> prompts(static_cast<size_t>(rows));
  std::vector<float> positions(static_cast<size_t>(prompt + tokens));
  std::iota(positions.begin(), positions.end(), 0.0F);
  std::vector<rfs::Decoding::Start> starts;
  for (auto& ids : prompts) {
    for (int64_t i = 0; i < prompt; ++i) ids.push_back(static_cast<int32_t>(stream.below(50'257)));
    starts.push_back({ids, rfs::Decoding::Tracks(decoder.spec().tracks(), positions)});
  }
  std::vector<double> first, rest;
  for (int round = 0; round < 4; ++round) {
    const auto [prompted, decoded] = decode(decoder, starts, tokens);
    if (round == 0) continue;  // libraries initialize themselves
    first.push_back(prompted);
    rest.push_back(decoded / static_cast<double>(tokens - 1));
  }
  std::sort(first.begin(), first.end());
  std::sort(rest.begin(), rest.end());
  std::fputs(rfs::format("{{\"name\": \"rfs {}\", \"model\": \"{}\", \"rows\": {}, \"prompt\": {}, \"tokens\": {}, "
                         "\"prompt_ms\": {:.3f}, \"ms_per_step\": {:.4f}, \"tokens_per_s\": {:.0f}}}\n",
                         rfs::version, model, rows, prompt, tokens, 1e3 * first[1], 1e3 * rest[1],
                         static_cast<double>(rows) / rest[1])
                 .c_str(),
             stdout);
}
