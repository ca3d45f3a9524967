#include "rfs/eval/scoring.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "../data.h"
#include "rfs/core/error.h"
#include "rfs/model/decoder.h"

namespace rfs {
namespace {

/// One id per byte, except that "xy" is one id. The ids of a prefix can therefore depend on what follows.
class Bytes : public Tokenizer {
 public:
  std::vector<int32_t> encode(std::string_view text) const override {
    std::vector<int32_t> ids;
    for (size_t i = 0; i < text.size(); ++i) {
      if (text.substr(i, 2) == "xy") {
        ids.push_back(256);
        ++i;
      } else {
        ids.push_back(static_cast<unsigned char>(text[i]));
      }
    }
    return ids;
  }
  std::string decode(std::span<const int32_t>) const override { return ""; }
  int64_t size() const override { return 257; }
  int32_t end() const override { return 0; }
  std::vector<std::string> words(int64_t) const override { return {}; }
};

std::unique_ptr<Decoder> decoder(const std::string& encoding) {
  const auto settings = Settings::from_text(
      "[model]\npreset = 'gpt2'\nlayers = 2\nwidth = 64\nheads = 4\nhead_width = 16\nfeed_width = 256\n", "test");
  auto decoder = std::make_unique<Decoder>(DecoderOptions::read(settings.find("model")), 257,
                                           Choice<PositionEncoding>::read(nullptr, encoding).make());
  decoder->initialise(3);
  return decoder;
}

std::vector<Document> documents() {
  std::vector<Document> documents;
  for (size_t i = 0; i < 40; ++i) {
    Stream stream(5, "documents", i);
    Document document{{std::string(1 + stream.below(40), 'q')}, {}, i % 3};
    for (char& c : document.contexts[0]) c = static_cast<char>('a' + stream.below(26));
    for (size_t choice = 0; choice < 3 + i % 2; ++choice) {
      document.choices.emplace_back(1 + stream.below(9), static_cast<char>('a' + stream.below(26)));
    }
    documents.push_back(document);
  }
  return documents;
}

using Ids = std::vector<int32_t>;

TEST(Continuations, TakeTheSpaceBeforeThem) {
  const auto one = continuation(Bytes(), "ab \n", " c");
  EXPECT_EQ(one.tokens, (Ids{'a', 'b', ' ', '\n', ' ', 'c'}));
  EXPECT_EQ(one.count, 4);
}

TEST(Continuations, FollowTheContextsOwnIds) {
  const auto one = continuation(Bytes(), "ax", "yz");
  EXPECT_EQ(one.tokens, (Ids{'a', 'x', 'z'}));  // the whole text is a, xy, z
  EXPECT_EQ(one.count, 1);
}

TEST(Continuations, LoseTheirFirstTokens) {
  auto one = continuation(Bytes(), "abcd", " e");
  EXPECT_FALSE(truncate(one, 5));
  EXPECT_TRUE(truncate(one, 4));
  EXPECT_EQ(one.tokens, (Ids{'b', 'c', 'd', ' ', 'e'}));
  EXPECT_EQ(one.count, 2);
}

TEST(LogLikelihood, IsTheSumOverTheContinuation) {
  for (const auto& encoding : Registry<PositionEncoding>::names()) {
    for (const std::string indexing_name : {"sequential", "random_float", "interpolated"}) {
      const auto model = decoder(encoding);
      const auto indexing = Choice<PositionIndexing>::read(nullptr, indexing_name).make();
      const EvalOptions options;
      constexpr int64_t trained = 20;
      std::vector<Continuation> asked;
      for (const auto& document : documents()) {
        asked.push_back(continuation(Bytes(), document.contexts[0], " " + document.choices[0]));
      }
      const auto sums = log_likelihoods({*model, *indexing, trained, options}, asked, 8);
      int64_t longer = 0;
      for (size_t i = 0; i < asked.size(); ++i) {
        const auto size = static_cast<int64_t>(asked[i].tokens.size());
        longer += size - 1 > trained;
        // The row by itself, with every token as a target and n_in the number of input tokens.
        std::vector<float> positions(static_cast<size_t>(size - 1));
        Stream stream(1, "unused");
        indexing->infer(stream, trained, size - 1, positions);
        const std::vector<Row> row = {sequence_row(asked[i].tokens, 1)};
        const auto batch = pack(row, positions);
        const auto scores = torch::log_softmax(model->target_logits(batch).to(torch::kFloat64), 1);
        double sum = 0;
        for (int64_t t = size - asked[i].count; t < size; ++t) {
          sum += scores[t - 1][asked[i].tokens[static_cast<size_t>(t)]].item<double>();
        }
        EXPECT_NEAR(sums[i], sum, 1e-4) << encoding << " " << indexing_name;
      }
      EXPECT_GT(longer, 5);
      EXPECT_LT(longer, 35);
    }
  }
}

TEST(LogLikelihood, IsTheSameInAnyBatch) {
  const auto benchmark = Choice<Benchmark>::read(nullptr, "arc_easy").make();
  const auto encoded = encode_documents(Bytes(), *benchmark, documents(), 2048);
  for (const auto& encoding : Registry<PositionEncoding>::names()) {
    const auto model = decoder(encoding);
    const auto indexing = Choice<PositionIndexing>::read(nullptr, "random_float").make();
    std::vector<std::vector<ScoredDocument>> results;
    for (const int64_t batch : {1, 8, 64}) {
      const EvalOptions options;
      results.push_back(score_documents({*model, *indexing, 20, options}, encoded, batch));
    }
    for (size_t i = 0; i < encoded.documents.size(); ++i) {
      EXPECT_EQ(results[0][i].log_likelihoods, results[1][i].log_likelihoods) << encoding << " " << i;
      EXPECT_EQ(results[0][i].log_likelihoods, results[2][i].log_likelihoods) << encoding << " " << i;
    }
  }
}

TEST(Documents, AreEncodedWithTheirSizes) {
  const std::vector<Document> two = {{{"abc"}, {"d", "éfg"}, 1}, {{"abcdefgh", "x"}, {"y", "y"}, 0}};
  const auto arc = Choice<Benchmark>::read(nullptr, "arc_easy").make();
  const auto race = Choice<Benchmark>::read(nullptr, "race").make();
  const auto encoded = encode_documents(Bytes(), *arc, two, 8);
  EXPECT_EQ(encoded.sizes(), (std::vector<int64_t>{8, 10}));
  EXPECT_EQ(encode_documents(Bytes(), *race, two, 8).sizes(), (std::vector<int64_t>{3, 8}));
  EXPECT_EQ(encoded.documents[0].tokens, (std::vector<int64_t>{2, 5}));
  EXPECT_EQ(encoded.documents[0].code_points, (std::vector<int64_t>{1, 3}));
  EXPECT_FALSE(encoded.documents[0].truncated);
  EXPECT_TRUE(encoded.documents[1].truncated);
  EXPECT_EQ(encoded.continuations[2].tokens, (Ids{'b', 'c', 'd', 'e', 'f', 'g', 'h', ' ', 'y'}));
  EXPECT_EQ(encoded.continuations[3].tokens, (Ids{'x', ' ', 'y'}));
  auto first = encoded;
  first.keep(1);
  EXPECT_EQ(first.documents.size(), 1u);
  EXPECT_EQ(first.continuations.size(), 2u);
  EXPECT_THROW(encode_documents(Bytes(), *arc, two, 4), Error);  // a choice longer than the whole input
}

// Table 2 of the paper, for the benchmarks in RFS_DATA.
TEST(ContextSizes, AreThePapers) {
  RFS_NEEDS_DATA();
  const auto data = std::filesystem::path(std::getenv("RFS_DATA")) / "benchmarks";
  if (!std::filesystem::exists(data)) GTEST_SKIP() << "NOT TESTED: needs benchmarks below RFS_DATA";
  const auto tokenizers = Registry<Tokenizer>::names();
  if (std::find(tokenizers.begin(), tokenizers.end(), "gpt2") == tokenizers.end())
    GTEST_SKIP() << "NOT TESTED: no PCRE2";
  const auto tokenizer = Choice<Tokenizer>::read(nullptr, "gpt2").make();
  const auto size = [&](const std::string& name, const std::string& set) {
    Settings settings;
    if (!set.empty()) settings.assign(set);
    const auto benchmark = Choice<Benchmark>::read(settings.find("benchmark"), name).make();
    const auto documents = read_documents(*benchmark, benchmark_file(*benchmark, name, "", data));
    return median(encode_documents(*tokenizer, *benchmark, documents, 2048).sizes());
  };
  EXPECT_EQ(size("arc_easy", ""), 28);
  EXPECT_EQ(size("boolq", ""), 130);
  EXPECT_EQ(size("race", ""), 439);
  EXPECT_EQ(size("race", "benchmark.version=2"), 439);
  for (const std::string name : {"arc_easy", "boolq"}) {  // the published form has the same content
    const auto benchmark = Choice<Benchmark>::read(nullptr, name).make();
    const auto ours = read_documents(*benchmark, benchmark_file(*benchmark, name, "", data));
    const auto published = read_documents(*benchmark, benchmark_file(*benchmark, name, "", data / "published"));
    ASSERT_EQ(ours.size(), published.size());
    for (size_t i = 0; i < ours.size(); ++i) {
      EXPECT_EQ(ours[i].contexts, published[i].contexts);
      EXPECT_EQ(ours[i].choices, published[i].choices);
      EXPECT_EQ(ours[i].gold, published[i].gold);
    }
  }
}

}  // namespace
}  // namespace rfs
