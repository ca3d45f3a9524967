#include <fmt/format.h>

#include <cmath>
#include <unordered_set>

#include "rfs/core/error.h"
#include "rfs/core/random.h"
#include "rfs/tasks/task.h"

namespace rfs {
namespace {

/// `Copy: w1 ... wn [SEP] w1 ... wn`: n words, independent and uniform from a list.
///
/// Lengths are spread evenly. Training leaves out what validation holds at every length with room for it: at least
/// four times as many different samples as validation takes.
class Copy : public Task {
 public:
  struct Options : rfs::Options {
    Field<int64_t> words{this, "words", 100, "size of the word list", between<int64_t>(2, 1'000'000)};
    Field<std::vector<int64_t>> train_lengths{
        this, "train_lengths", {2, 20}, "words in training samples, [first, last]", interval(1, 1'000'000)};
    Field<std::vector<int64_t>> test_lengths{
        this, "test_lengths", {21, 40}, "words in test samples, [first, last]", interval(1, 1'000'000)};
    Field<int64_t> train_samples{this, "train_samples", 100'000, "training samples, over all lengths",
                                 between<int64_t>(1, 100'000'000)};
    Field<int64_t> validation_samples{this, "validation_samples", 500, "validation samples of each trained length",
                                      between<int64_t>(1, 1'000'000)};
    Field<int64_t> test_samples{this, "test_samples", 500, "test samples of each test length",
                                between<int64_t>(1, 1'000'000)};
    Field<int64_t> seed{this, "seed", 1, "seed of the data, apart from the training seed", at_least<int64_t>(0)};
  };
  explicit Copy(const Options& options) : options_(options) {
    if ((*options.test_lengths)[0] <= (*options.train_lengths)[1]) {
      throw Error(fmt::format("task.test_lengths: must begin above the last trained length {}, got {}",
                              (*options.train_lengths)[1], (*options.test_lengths)[0]));
    }
    const int64_t bins = (*options.train_lengths)[1] - (*options.train_lengths)[0] + 1;
    if (options.train_samples < bins) {
      throw Error(fmt::format("task.train_samples: must be at least one for each of the {} trained lengths, got {}",
                              bins, *options.train_samples));
    }
  }

  Vocabulary vocabulary() const override { return {{"Copy:", "[SEP]"}, options_.words}; }

  std::vector<Sample> samples(Split split, const Tokenizer& tokenizer) const override {
    const auto words = tokenizer.words(options_.words);
    if (split == Split::test) return spread(Split::test, words, {});
    const auto validation = spread(Split::validation, words, {});
    if (split == Split::validation) return validation;
    std::unordered_set<std::string> held_out;
    for (const auto& sample : validation) {
      const double different = std::pow(static_cast<double>(*options_.words), static_cast<double>(sample.length));
      if (different >= 4.0 * static_cast<double>(*options_.validation_samples)) held_out.insert(sample.prompt);
    }
    return spread(Split::train, words, held_out);
  }

 private:
  std::vector<Sample> spread(Split split, const std::vector<std::string>& words,
                             const std::unordered_set<std::string>& held_out) const {
    constexpr const char* purposes[] = {"train samples", "validation samples", "test samples"};
    const auto& lengths = split == Split::test ? *options_.test_lengths : *options_.train_lengths;
    const int64_t bins = lengths[1] - lengths[0] + 1;
    const int64_t total = split == Split::train        ? *options_.train_samples
                          : split == Split::validation ? *options_.validation_samples * bins
                                                       : *options_.test_samples * bins;
    std::vector<Sample> samples;
    samples.reserve(static_cast<size_t>(total));
    for (int64_t i = 0; i < total; ++i) {
      Stream stream(static_cast<uint64_t>(*options_.seed), purposes[static_cast<int>(split)], static_cast<uint64_t>(i));
      Sample sample = draw(stream, lengths[0] + i % bins, words);
      while (held_out.contains(sample.prompt)) sample = draw(stream, sample.length, words);
      samples.push_back(std::move(sample));
    }
    return samples;
  }

  static Sample draw(Stream& stream, int64_t length, const std::vector<std::string>& words) {
    std::string text;
    for (int64_t i = 0; i < length; ++i) text += " " + words[stream.below(words.size())];
    return {"Copy:" + text + " [SEP]", text, length};
  }

  Options options_;
};

const bool registered = Registry<Task>::add<Copy>("repeat n random words");

}  // namespace
}  // namespace rfs
