#include <cmath>
#include <unordered_set>

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/tasks/draws.h"
#include "rfs/tasks/generated.h"

namespace rfs {
namespace {

/// Multi-query associative recall (MQAR; Arora et al. 2023, zoology): `Recall: k1 v1 ... kn vn [SEP] x k2 x x k1 ...
/// [SEP] v2 v1 ...`. The length n is the number of pairs. Keys come from the lower half of the vocabulary, values from
/// the upper half, all different. The part after the pairs has tokens_per_pair * n - 2n tokens. Its even places
/// are slots, and slot s holds a query with a probability proportional to (s + 1)^(power - 1). Each key is a query
/// once; every other token is random filler.
///
/// The original asks for a value at the token after its query, in the middle of the row. Here the answer holds the
/// values in the order of the queries, so that an exact match means all of them. Filler is never one of the sample's
/// keys: a query is then any token that was a key.
class Mqar : public Task {
 public:
  struct Options : LengthOptions {
    Options() : LengthOptions(50, 100, {2, 16}, {20, 64}, "key-value pairs", 4) {}
    Field<int64_t> words{this, "words", 8'192, "size of the vocabulary: half keys, half values",
                         between<int64_t>(4, 1'000'000)};
    Field<int64_t> tokens_per_pair{this, "tokens_per_pair", 16,
                                   "tokens of a row per pair: key, value, query and filler; even numbers",
                                   between<int64_t>(4, 10'000)};
    Field<double> power{this, "power", 0.01, "a in the power law of the gaps before queries; 1: uniform",
                        between<double>(0.0, 1.0)};
  };
  explicit Mqar(const Options& options) : options_(options) {
    options.require_longer_tests();
    const int64_t most = (*options.test_lengths)[1];
    if (options.words / 2 < most) {
      throw Error(rfs::format("task.words: must be at least 2 for each of the {} pairs, got {}", most, *options.words));
    }
    if (options.tokens_per_pair % 2 != 0) {
      throw Error(rfs::format("task.tokens_per_pair: must be even, got {}", *options.tokens_per_pair));
    }
  }

  Vocabulary vocabulary() const override { return {{"Recall:", "[SEP]"}, options_.words}; }

  std::vector<Sample> samples(Split split, const Tokenizer& tokenizer) const override {
    const auto list = tokenizer.words(options_.words);
    const auto sample = [&](Stream& stream, int64_t length) { return draw(stream, length, list); };
    return spread_lengths(options_, split, sample, [&](int64_t length) {
      return std::pow(static_cast<double>(options_.words / 2), 2.0 * static_cast<double>(length));
    });
  }

 private:
  Sample draw(Stream& stream, int64_t length, const std::vector<std::string>& list) const {
    const auto words = static_cast<uint64_t>(*options_.words), half = words / 2;
    const auto pairs = static_cast<uint64_t>(length);
    const auto keys = draw_distinct(stream, half, pairs), values = draw_distinct(stream, words - half, pairs);
    std::vector<double> weights((static_cast<uint64_t>(*options_.tokens_per_pair) - 2) / 2 * pairs);
    for (size_t slot = 0; slot < weights.size(); ++slot) {
      weights[slot] = std::pow(static_cast<double>(slot + 1), options_.power - 1);
    }
    constexpr uint64_t none = ~uint64_t{0};
    std::vector<uint64_t> asked(weights.size(), none);  // the pair that a slot asks for
    const auto slots = draw_weighted(stream, weights, pairs);
    for (size_t pair = 0; pair < slots.size(); ++pair) asked[slots[pair]] = pair;

    Sample sample{"Recall:", "", length};
    for (size_t pair = 0; pair < pairs; ++pair) {
      sample.prompt += " " + list[keys[pair]] + " " + list[half + values[pair]];
    }
    sample.prompt += " [SEP]";
    const std::unordered_set<uint64_t> used(keys.begin(), keys.end());
    const auto filler = [&] {
      uint64_t word = stream.below(words);
      while (used.contains(word)) word = stream.below(words);
      return " " + list[word];
    };
    for (const uint64_t pair : asked) {
      sample.prompt += pair == none ? filler() : " " + list[keys[pair]];
      sample.prompt += filler();
      if (pair != none) sample.answer += " " + list[half + values[pair]];
    }
    sample.prompt += " [SEP]";
    return sample;
  }

  Options options_;
};

const bool registered = Registry<Task>::add<Mqar>("look up the values of n keys (multi-query associative recall)");

}  // namespace
}  // namespace rfs
