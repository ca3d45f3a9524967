#include "rfs/tasks/word_task.h"

#include <cmath>

#include "rfs/core/error.h"

namespace rfs {

WordTask::WordTask(const WordTaskOptions& options, std::string title) : options_(options), title_(std::move(title)) {
  options_.require_longer_tests();
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
  const auto sample = [&](Stream& stream, int64_t length) {
    const Words words = draw(stream, length, list), answer_words = answer(words);
    return Sample{title_ + " " + join(words, " ") + " [SEP]", " " + join(answer_words, " "), length};
  };
  return spread_lengths(options_, split, sample, [&](int64_t length) { return different(length); });
}

}  // namespace rfs
