#include "rfs/tasks/symbol_task.h"

#include <cmath>

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/tasks/draws.h"

namespace rfs {

SymbolTask::SymbolTask(const LengthOptions& options, std::string title, Symbols given, Symbols answers,
                       int64_t shortest)
    : options_(options), title_(std::move(title)), given_(std::move(given)), answers_(std::move(answers)) {
  options_.require_longer_tests();
  if ((*options_.train_lengths)[0] < shortest) {
    throw Error(
        rfs::format("task.train_lengths: must begin at {} or above, got {}", shortest, (*options_.train_lengths)[0]));
  }
}

Vocabulary SymbolTask::vocabulary() const {
  Symbols words = {title_, "[SEP]"};
  words.insert(words.end(), given_.begin(), given_.end());
  words.insert(words.end(), answers_.begin(), answers_.end());
  return {words, 0};
}

std::vector<Sample> SymbolTask::samples(Split split, const Tokenizer&) const {
  const auto sample = [&](Stream& stream, int64_t length) {
    const Row row = draw(stream, length);
    return Sample{title_ + " " + joined(row.given, " ") + " [SEP]", " " + joined(row.answer, " "),
                  static_cast<int64_t>(row.given.size()), row.depth};
  };
  return spread_lengths(options_, split, sample, [&](int64_t length) { return different(length); });
}

double SymbolTask::different(int64_t length) const {
  return std::pow(static_cast<double>(given_.size()), static_cast<double>(length));
}

SymbolTask::Symbols numerals(int64_t count) {
  return numbered("", count);
}

SymbolTask::Symbols numbered(const std::string& prefix, int64_t count) {
  SymbolTask::Symbols symbols;
  for (int64_t i = 0; i < count; ++i) symbols.push_back(rfs::format("{}{}", prefix, i));
  return symbols;
}

SymbolTask::Symbols among_blanks(Stream& stream, const std::vector<SymbolTask::Symbols>& parts, int64_t length) {
  size_t taken = 0;
  for (const auto& part : parts) taken += part.size();
  // Each part and each blank is an item; the parts' places among the items are drawn.
  const size_t items = static_cast<size_t>(length) - taken + parts.size();
  std::vector<bool> is_part(items);
  for (const uint64_t place : draw_distinct(stream, items, parts.size())) is_part[place] = true;
  SymbolTask::Symbols symbols;
  auto part = parts.begin();
  for (const bool one : is_part) {
    if (!one) {
      symbols.emplace_back("_");
    } else {
      symbols.insert(symbols.end(), part->begin(), part->end());
      ++part;
    }
  }
  return symbols;
}

SymbolTask::Symbols draw_symbols(Stream& stream, int64_t length, const SymbolTask::Symbols& from) {
  SymbolTask::Symbols symbols;
  for (int64_t i = 0; i < length; ++i) symbols.push_back(from[stream.below(from.size())]);
  return symbols;
}

}  // namespace rfs
