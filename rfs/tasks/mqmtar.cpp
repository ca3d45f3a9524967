#include <algorithm>
#include <cmath>

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/tasks/draws.h"
#include "rfs/tasks/generated.h"

namespace rfs {
namespace {

/// Multi-query multi-token associative recall (MQMTAR; Vasylenko et al. 2025, ASEntmax): `Recall: _ k k = v v _ k k = v
/// v _ _ ... ? k k ? k k [SEP] ? v v ? v v`. The length is the number of tokens before the first query. Pairs with
/// their separators take up a share `density` of it: floor(density * length / (key + value + 2 tokens)) pairs. Blanks
/// (`_`) fill the rest: one after each pair, the others spread evenly over the pairs, each before or after its pair at
/// random. Keys and values share one alphabet and are words of a dictionary that is fixed by the seed; a sample
/// pairs them at random. Queries are drawn with replacement.
///
/// The original rounds lengths down to a multiple of the number of pairs; here every length is exact.
class Mqmtar : public Task {
 public:
  struct Options : LengthOptions {
    Options() : LengthOptions(50, 100, {32, 64}, {128, 4'096}, "tokens of pairs and blanks", 1, 2) {}
    Field<int64_t> words{this, "words", 256, "size of the alphabet of keys and values", between<int64_t>(2, 10'000)};
    Field<int64_t> key_tokens{this, "key_tokens", 2, "tokens of a key", between<int64_t>(1, 4)};
    Field<int64_t> value_tokens{this, "value_tokens", 2, "tokens of a value", between<int64_t>(1, 4)};
    Field<int64_t> queries{this, "queries", 4, "keys asked for in a sample", between<int64_t>(1, 10'000)};
    Field<double> density{this, "density", 0.8, "share of the tokens that belong to pairs",
                          between<double>(0.001, 1.0)};
    Field<int64_t> dictionary{this, "dictionary", 10'000, "number of different keys, and of different values",
                              between<int64_t>(1, 10'000'000)};
  };
  explicit Mqmtar(const Options& options) : options_(options) {
    options.require_longer_tests();
    const auto least = (*options.train_lengths)[0], most = (*options.test_lengths)[1];
    const double room = std::min(combinations(options.key_tokens), combinations(options.value_tokens));
    if (static_cast<double>(*options.dictionary) > room) {
      throw Error(rfs::format("task.dictionary: must be at most the {} words that the alphabet allows, got {}", room,
                              *options.dictionary));
    }
    if (pairs(least) < 1) {
      throw Error(rfs::format("task.train_lengths: must begin at a length with room for a pair, got {}", least));
    }
    if (pairs(most) > options.dictionary) {
      throw Error(rfs::format("task.dictionary: must be at least the {} pairs of {} tokens, got {}", pairs(most), most,
                              *options.dictionary));
    }
  }

  Vocabulary vocabulary() const override { return {{"Recall:", "_", "=", "?", "[SEP]"}, options_.words}; }

  std::vector<Sample> samples(Split split, const Tokenizer& tokenizer) const override {
    const auto list = tokenizer.words(options_.words);
    const auto keys = dictionary("keys", options_.key_tokens, list);
    const auto values = dictionary("values", options_.value_tokens, list);
    const auto sample = [&](Stream& stream, int64_t length) { return draw(stream, length, keys, values); };
    return spread_lengths(options_, split, sample, [&](int64_t length) {
      return std::pow(static_cast<double>(*options_.dictionary), static_cast<double>(pairs(length)));
    });
  }

 private:
  using Words = std::vector<std::string>;

  double combinations(int64_t tokens) const {
    return std::pow(static_cast<double>(*options_.words), static_cast<double>(tokens));
  }

  /// Tokens of a pair with its separator and the blank after it.
  int64_t pair_tokens() const { return options_.key_tokens + options_.value_tokens + 2; }

  int64_t pairs(int64_t length) const {
    return static_cast<int64_t>(options_.density * static_cast<double>(length)) / pair_tokens();
  }

  /// Different words of `tokens` letters each, with a space before every letter.
  Words dictionary(const std::string& purpose, int64_t tokens, const Words& letters) const {
    Stream stream(static_cast<uint64_t>(*options_.seed), "mqmtar " + purpose);
    const auto size = static_cast<uint64_t>(letters.size());
    Words words;
    for (uint64_t number : draw_distinct(stream, static_cast<uint64_t>(combinations(tokens)),
                                         static_cast<uint64_t>(*options_.dictionary))) {
      words.emplace_back();
      for (int64_t i = 0; i < tokens; ++i, number /= size) words.back() += " " + letters[number % size];
    }
    return words;
  }

  Sample draw(Stream& stream, int64_t length, const Words& all_keys, const Words& all_values) const {
    const auto count = static_cast<uint64_t>(pairs(length));
    const auto keys = draw_distinct(stream, all_keys.size(), count);
    const auto values = draw_distinct(stream, all_values.size(), count);
    const auto blanks = static_cast<uint64_t>(length - static_cast<int64_t>(count) * pair_tokens());

    Sample sample{"Recall:", "", length};
    for (uint64_t pair = 0; pair < count; ++pair) {
      uint64_t after = 1;
      for (uint64_t i = pair; i < blanks; i += count) {
        if (stream.below(2) == 0) {
          sample.prompt += " _";
        } else {
          ++after;
        }
      }
      sample.prompt += all_keys[keys[pair]] + " =" + all_values[values[pair]];
      for (uint64_t i = 0; i < after; ++i) sample.prompt += " _";
    }
    for (int64_t i = 0; i < options_.queries; ++i) {
      const uint64_t pair = stream.below(count);
      sample.prompt += " ?" + all_keys[keys[pair]];
      sample.answer += " ?" + all_values[values[pair]];
    }
    sample.prompt += " [SEP]";
    return sample;
  }

  Options options_;
};

const bool registered =
    Registry<Task>::add<Mqmtar>("look up values of several tokens (multi-query multi-token associative recall)");

}  // namespace
}  // namespace rfs
