#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "rfs/core/split.h"
#include "rfs/tasks/task.h"

namespace rfs {

/// A task with some of its options, as lines of TOML.
inline std::unique_ptr<Task> make_task(const std::string& name, const std::string& keys = "") {
  const auto settings = Settings::from_text("[task]\nuse = '" + name + "'\n" + keys, "test");
  return Choice<Task>::read(settings.find("task"), "").make();
}

/// The built-in tokenizer with the task's vocabulary.
inline std::unique_ptr<Tokenizer> words_for(const Task& task) {
  auto tokenizer = Choice<Tokenizer>::read(nullptr, "words").make();
  tokenizer->learn(task.vocabulary());
  return tokenizer;
}

inline std::vector<std::string> words_of(std::string_view text) {
  const auto parts = split_words(text);
  return {parts.begin(), parts.end()};
}

/// A number of any size modulo a prime, from its digits in [begin, end), most significant first.
template <class Iterator>
uint64_t modulo(Iterator begin, Iterator end, uint64_t base, uint64_t prime) {
  uint64_t value = 0;
  for (; begin != end; ++begin) value = (value * base + static_cast<uint64_t>(std::stoi(*begin))) % prime;
  return value;
}

/// Two numbers that are equal modulo these are taken to be equal.
constexpr uint64_t primes[] = {2'147'483'647, 1'000'000'007, 998'244'353};

}  // namespace rfs
