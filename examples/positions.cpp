// How to use the library: give the tokens of a row positions by Random Float Sampling, and run a decoder on them.

#include <rfs/rfs.h>

#include <cstdio>

int main() {
  // Settings have the same form in a file, on the command line, and in a string as here.
  const auto settings = rfs::Settings::from_text(R"(
    [positions]
    use = "random_float"
    range = 100.0
    [model]
    preset = "tiny"
  )",
                                                 "example");
  const auto indexing = rfs::Choice<rfs::PositionIndexing>::read(settings.find("positions"), "sequential").make();
  auto encoding = rfs::Choice<rfs::PositionEncoding>::read(nullptr, "rope").make();
  const auto options = rfs::DecoderOptions::read(settings.find("model"));

  const std::vector<int32_t> sequence = {3, 1, 4, 1, 5, 9, 2, 6};
  std::vector<float> positions(sequence.size());
  rfs::Stream stream(/*seed=*/1, "positions");
  indexing->train(stream, /*trained=*/8, positions);
  std::printf("training positions: ");
  for (const float p : positions) std::printf(" %.2f", static_cast<double>(p));
  indexing->infer(stream, /*trained=*/8, /*input=*/16, positions);
  std::printf("\ninference positions:");
  for (const float p : positions) std::printf(" %.2f", static_cast<double>(p));

  rfs::Decoder decoder(options, /*vocabulary=*/10, std::move(encoding));
  decoder.initialise(1);
  positions.pop_back();  // the last token is only predicted
  const std::vector<rfs::Row> rows = {rfs::sequence_row(sequence, /*answer=*/4)};
  std::printf("\nloss of an untrained model: %.3f\n", decoder.loss(rfs::pack(rows, positions)).item<double>());
}
