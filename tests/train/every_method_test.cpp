// The contract of every indexing, encoding and attention rule: a small model learns with it, and changes what it
// learns.

#include <gtest/gtest.h>

#include "rfs/model/decoder.h"
#include "rfs/run/settings.h"
#include "rfs/train/optimizer.h"

namespace rfs {
namespace {

class EveryMethod : public testing::TestWithParam<std::pair<std::string, std::string>> {};

/// Each registered name as TABLE, NAME.
std::vector<std::pair<std::string, std::string>> every_method() {
  std::vector<std::pair<std::string, std::string>> all;
  for (const auto& name : Registry<PositionIndexing>::names()) all.emplace_back("positions", name);
  for (const auto& name : Registry<PositionEncoding>::names()) all.emplace_back("encoding", name);
  for (const auto& name : Registry<AttentionRule>::names()) all.emplace_back("attention", name);
  return all;
}

/// The next word follows from the last one, apart from a row's first.
constexpr int64_t vocabulary = 7, tokens = 12, rows = 8, steps = 20;

Batch batch_of(const PositionTracks& tracks, int64_t step) {
  std::vector<std::vector<int32_t>> sequences(rows);
  std::vector<Row> packed;
  PositionTracks::Rows positions(tracks.size());
  for (size_t r = 0; r < sequences.size(); ++r) {
    for (int64_t i = 0; i <= tokens; ++i) {
      sequences[r].push_back(static_cast<int32_t>((static_cast<int64_t>(r) + 3 * i) % vocabulary));
    }
    packed.push_back(sequence_row(sequences[r], 1));
    const auto of_row = tracks.train(1, static_cast<uint64_t>(step * rows) + r, tokens, tokens);
    for (size_t track = 0; track < tracks.size(); ++track) {
      positions[track].insert(positions[track].end(), of_row[track].begin(), of_row[track].end());
    }
  }
  return pack(packed, positions);
}

TEST_P(EveryMethod, Trains) {
  const auto& [table, name] = GetParam();
  auto written = Settings::from_text(
      "[encoding]\nuse = 'rope'\n[model]\npreset = 'tiny'\nlayers = 2\nwidth = 32\nheads = 2\nhead_width = 16\n"
      "feed_width = 64\n",
      "test");
  written.assign(table + ".use=" + name);
  const auto settings = RunSettings::read(written);
  Decoder decoder(settings.spec(vocabulary, tokens));
  decoder.initialise(3);
  std::vector<torch::Tensor> initial;
  for (const auto& item : decoder.parameters().items()) initial.push_back(item.tensor.detach().clone());
  Optimizer optimizer(decoder.parameters(), TrainOptions());
  const auto tracks = settings.tracks();
  double first = 0, last = 0;
  for (int64_t step = 0; step < steps; ++step) {
    const auto loss = decoder.loss(batch_of(tracks, step));
    loss.backward();
    optimizer.update(1e-2);
    last = loss.item<double>();
    if (step == 0) first = last;
  }
  EXPECT_LT(last, 0.8 * first);
  for (size_t i = 0; i < initial.size(); ++i) {
    const auto& item = decoder.parameters().items()[i];
    EXPECT_FALSE(torch::equal(item.tensor, initial[i])) << item.name << " did not change";
  }
}

INSTANTIATE_TEST_SUITE_P(Registered, EveryMethod, testing::ValuesIn(every_method()),
                         [](const auto& named) { return named.param.first + "_" + named.param.second; });

}  // namespace
}  // namespace rfs
