#include "rfs/tasks/word_task.h"

#include <fmt/format.h>

#include <cmath>

#include "rfs/core/error.h"

namespace rfs {

void require_longer_tests(const std::vector<int64_t>& train_lengths, const std::vector<int64_t>& test_lengths) {
  if (test_lengths[0] <= train_lengths[1]) {
    throw Error(fmt::format("task.test_lengths: must begin above the last trained length {}, got {}", train_lengths[1],
                            test_lengths[0]));
  }
}

WordTask::WordTask(const WordTaskOptions& options, std::string title) : options_(options), title_(std::move(title)) {
  require_longer_tests(*options_.train_lengths, *options_.test_lengths);
}

WordTask::Words WordTask::draw(Stream& stream, int64_t length, const Words& list) const {
  Words words;
  for (int64_t i = 0; i < length; ++i) words.push_back(list[stream.below(list.size())]);
  return words;
}

double WordTask::different(int64_t length) const {
  return std::pow(static_cast<double>(*options_.words), static_cast<double>(length));
}

Vocabulary WordTask::vocabulary() const {
  return {{title_, "[SEP]"}, options_.words};
}

std::vector<Sample> WordTask::samples(Split split, const Tokenizer& tokenizer) const {
  const Words list = tokenizer.words(options_.words);
  const auto& lengths = split == Split::test ? *options_.test_lengths : *options_.train_lengths;
  Bins bins;
  bins.count = lengths[1] - lengths[0] + 1;
  bins.draw = [&](Stream& stream, int64_t bin) {
    const Words words = draw(stream, lengths[0] + bin, list), said = answer(words);
    return Sample{title_ + " " + join(words, " ") + " [SEP]", " " + join(said, " "), lengths[0] + bin};
  };
  bins.different = [&](int64_t bin) { return different(lengths[0] + bin); };
  return spread(options_, split, bins);
}

}  // namespace rfs
