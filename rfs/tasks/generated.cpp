#include "rfs/tasks/generated.h"

#include <algorithm>
#include <unordered_set>

#include "rfs/core/error.h"
#include "rfs/core/format.h"

namespace rfs {

GeneratedOptions::GeneratedOptions(int64_t validation_each, int64_t test_each)
    : train_samples{this, "train_samples", 100'000, "number of training samples, spread evenly over the trained bins",
                    between<int64_t>(1, 100'000'000)},
      validation_samples{this, "validation_samples", validation_each, "number of validation samples per trained bin",
                         between<int64_t>(1, 1'000'000)},
      test_samples{this, "test_samples", test_each, "number of test samples per test bin",
                   between<int64_t>(1, 1'000'000)},
      seed{this, "seed", 1, "seed of the data, independent of the training seed", at_least<int64_t>(0)} {}

std::vector<Sample> spread(const GeneratedOptions& options, Split split, const Bins& bins) {
  constexpr const char* purposes[] = {"train samples", "validation samples", "test samples"};
  if (split != Split::test && options.train_samples < bins.count) {
    throw Error(rfs::format("task.train_samples: must be at least the number of trained bins, {}, got {}", bins.count,
                            *options.train_samples));
  }
  const auto room = [&](int64_t bin) {
    return bins.different(bin) >= 4.0 * static_cast<double>(*options.validation_samples);
  };
  std::unordered_set<std::string> held_out;
  if (split == Split::train) {
    for (const auto& sample : spread(options, Split::validation, bins)) held_out.insert(sample.prompt);
  }
  const int64_t total = split == Split::train        ? *options.train_samples
                        : split == Split::validation ? *options.validation_samples * bins.count
                                                     : *options.test_samples * bins.count;
  std::vector<Sample> samples;
  samples.reserve(static_cast<size_t>(total));
  for (int64_t i = 0; i < total; ++i) {
    const int64_t bin = i % bins.count;
    Stream stream(static_cast<uint64_t>(*options.seed), purposes[static_cast<int>(split)], static_cast<uint64_t>(i));
    Sample sample = bins.draw(stream, bin);
    for (int attempt = 0; split == Split::train && room(bin) && held_out.contains(sample.prompt); ++attempt) {
      if (attempt == 10'000) {
        throw Error(rfs::format("task.validation_samples: must leave samples for training, got {}, nearly all of a bin",
                                *options.validation_samples));
      }
      sample = bins.draw(stream, bin);
    }
    samples.push_back(std::move(sample));
  }
  return samples;
}

LengthOptions::LengthOptions(int64_t validation_each, int64_t test_each, Lengths train, Lengths test,
                             const std::string& items, int64_t step, int64_t factor)
    : GeneratedOptions(validation_each, test_each),
      train_lengths{this, "train_lengths", std::move(train), items + " per training sample, [first, last]",
                    interval(1, 1'000'000)},
      test_lengths{this, "test_lengths", std::move(test), items + " per test sample, [first, last]",
                   interval(1, 1'000'000)},
      test_step{this, "test_step", step, "distance between test lengths; the last one is always tested",
                between<int64_t>(1, 1'000'000)},
      test_factor{this, "test_factor", factor,
                  "ratio between test lengths, if that is the larger distance; 2 doubles them",
                  between<int64_t>(1, 1'000)} {}

LengthOptions::Lengths LengthOptions::lengths(Split split) const {
  const bool test = split == Split::test;
  const int64_t first = test ? (*test_lengths)[0] : (*train_lengths)[0];
  const int64_t last = test ? (*test_lengths)[1] : (*train_lengths)[1];
  Lengths all;
  for (int64_t length = first; length < last;
       length = test ? std::max(length + test_step, length * test_factor) : length + 1) {
    all.push_back(length);
  }
  all.push_back(last);
  return all;
}

void LengthOptions::require_longer_tests() const {
  if ((*test_lengths)[0] <= (*train_lengths)[1]) {
    throw Error(rfs::format("task.test_lengths: must begin above the longest trained length {}, got {}",
                            (*train_lengths)[1], (*test_lengths)[0]));
  }
}

std::vector<Sample> spread_lengths(const LengthOptions& options, Split split,
                                   const std::function<Sample(Stream&, int64_t length)>& draw,
                                   const std::function<double(int64_t length)>& different) {
  const auto lengths = options.lengths(split);
  const auto length_of = [&](int64_t bin) { return lengths[static_cast<size_t>(bin)]; };
  return spread(
      options, split,
      {static_cast<int64_t>(lengths.size()), [&](Stream& stream, int64_t bin) { return draw(stream, length_of(bin)); },
       [&](int64_t bin) { return different(length_of(bin)); }});
}

}  // namespace rfs
