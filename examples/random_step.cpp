// How to use the library: add a position indexing of your own in your own program, and select it by name. Takes 5 s on
// one core.

#include <rfs/rfs.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

/// Training: 0, s, 2s, ... with one random step s per row, between `smallest` and 1. Inference: the step that keeps the
/// whole input within the trained range.
class RandomStep : public rfs::PositionIndexing {
 public:
  struct Options : rfs::Options {
    rfs::Field<double> smallest{this, "smallest", 0.25, "smallest training step", rfs::between(0.01, 1.0)};
  };
  explicit RandomStep(const Options& options) : options_(options) {}

  void train(rfs::Stream& stream, int64_t, std::span<float> positions) const override {
    fill(options_.smallest + (1 - options_.smallest) * stream.uniform(), positions);
  }

  void infer(rfs::Stream&, int64_t trained, int64_t input, std::span<float> positions) const override {
    fill(static_cast<double>(trained) / static_cast<double>(std::max(trained, input)), positions);
  }

 private:
  static void fill(double step, std::span<float> positions) {
    for (size_t i = 0; i < positions.size(); ++i) positions[i] = static_cast<float>(step * static_cast<double>(i));
  }

  Options options_;
};

// The name of the method is the name of this file: random_step.
const bool registered = rfs::Registry<rfs::PositionIndexing>::add<RandomStep>("integers with one random step per row");

int main(int count, char** arguments) try {
  const std::filesystem::path folder = count > 1 ? arguments[1] : "runs/random_step";
  const auto settings = rfs::Settings::from_text(R"(
    positions = {use = "random_step", smallest = 0.5}
    task = {words = 8, train_lengths = [2, 6], test_lengths = [7, 12], test_samples = 100}
    model = {preset = "tiny"}
    train = {steps = 300, batch = 32, learning_rate = 1e-3, warmup = 30}
  )",
                                                 "example");
  const std::vector<rfs::Job> jobs = {{folder, rfs::RunSettings::read(settings), "random_step"}};
  rfs::keep_freed_memory();  // makes training faster
  rfs::check_jobs(jobs);
  rfs::train_jobs(jobs);
  const rfs::Run run(folder);
  rfs::evaluate_run(run);
  std::printf("loss %.3f after %lld steps\n", run.train_record().loss,
              static_cast<long long>(run.train_record().steps));
  for (const auto& length : run.eval_record().lengths)
    std::printf("%2lld words: %3lld of %lld right\n", static_cast<long long>(length.length),
                static_cast<long long>(length.correct), static_cast<long long>(length.total));
} catch (const rfs::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
