#include "rfs/corpus/corpus.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <numeric>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/sha256.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;

TEST(Sha256, OfThePublishedExamples) {  // FIPS 180-4 and NIST's examples
  EXPECT_EQ(Sha256().hex(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256().add("abc").hex(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Sha256().add("abcdbcdecdefdefgefghfghighijhijkijkljklm").add("klmnlmnomnopnopq").hex(),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  Sha256 million;
  for (int i = 0; i < 10'000; ++i) million.add(std::string(100, 'a'));
  EXPECT_EQ(million.hex(), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

class CorpusFolder : public testing::Test {
 protected:
  fs::path folder = fs::temp_directory_path() / ("rfs_corpus_test_" + std::to_string(getpid()));
  void TearDown() override { fs::remove_all(folder); }

  /// Writes one shard per entry of `shards`, which lists the lengths of its documents. Ids count 0, 1, 2, ... over all
  /// documents.
  void write(const std::vector<std::vector<int64_t>>& shards, int64_t vocabulary) {
    Manifest manifest;
    manifest.plan.tokenizer = {"use = \"ids\"\n", "", vocabulary, 0};
    int32_t next = 0;
    for (const auto& lengths : shards) {
      std::vector<int64_t> ends(lengths.size());
      std::partial_sum(lengths.begin(), lengths.end(), ends.begin());
      std::vector<int32_t> ids(static_cast<size_t>(ends.back()));
      std::iota(ids.begin(), ids.end(), next);
      next += static_cast<int32_t>(ids.size());
      const std::string name = "train-" + std::to_string(manifest.train.size()) + ".tokens";
      const auto hash = write_shard(folder / name, manifest.plan.tokenizer.width(), ends, ids);
      manifest.train.push_back({name, std::ssize(ids), std::ssize(ends), hash});
    }
    manifest.write(folder);
  }

  std::string message() {
    try {
      Corpus(folder).check();
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  }
};

TEST_F(CorpusFolder, ReadsAcrossShardsAtBothWidths) {
  for (const int64_t vocabulary : {20, 70'000}) {
    write({{3, 1}, {5}, {2, 4, 1}}, vocabulary);
    const Corpus corpus(folder);
    corpus.check();
    const auto& train = corpus.train();
    EXPECT_EQ(train.tokens(), 16);
    EXPECT_EQ(train.documents(), 6);
    EXPECT_EQ(corpus.validation().tokens(), 0);
    EXPECT_EQ(corpus.vocabulary(), vocabulary);
    for (int64_t first = 0; first <= 16; ++first) {
      for (int64_t count = 0; first + count <= 16; ++count) {
        std::vector<int32_t> ids(static_cast<size_t>(count)), expected(ids.size());
        std::iota(expected.begin(), expected.end(), static_cast<int32_t>(first));
        train.read(first, ids);
        EXPECT_EQ(ids, expected);
      }
    }
    const std::vector<std::pair<int64_t, int64_t>> documents = {{0, 3}, {3, 4}, {4, 9}, {9, 11}, {11, 15}, {15, 16}};
    for (size_t i = 0; i < documents.size(); ++i) EXPECT_EQ(train.document(static_cast<int64_t>(i)), documents[i]);
    EXPECT_EQ(train.longest(), documents[2]);
    EXPECT_EQ(corpus.validation().longest(), (std::pair<int64_t, int64_t>{0, 0}));
    std::vector<int32_t> two(2);
    EXPECT_THROW(train.read(15, two), std::out_of_range);
    EXPECT_THROW(train.read(-1, two), std::out_of_range);
    EXPECT_THROW(train.document(6), std::out_of_range);
    EXPECT_THROW(corpus.validation().document(0), std::out_of_range);
  }
}

TEST_F(CorpusFolder, RefusesWhatIsNotWhole) {
  EXPECT_NE(message().find("no such folder; make a corpus with rfs corpus make"), std::string::npos) << message();
  write_file(folder / "progress.json", "{}");
  EXPECT_NE(message().find("this corpus is unfinished; run its rfs corpus make command again"), std::string::npos)
      << message();
  write({{3, 1}, {5}}, 20);
  EXPECT_EQ(message(), "");
  const std::string whole = read_file(folder / "train-1.tokens"), manifest = read_file(folder / "manifest.json");
  const auto says = [&](const std::string& content, const std::string& expected) {
    write_file(folder / "train-1.tokens", content);
    EXPECT_NE(message().find("train-1.tokens: " + expected), std::string::npos) << message();
    EXPECT_EQ(message().find('\n'), std::string::npos) << message();
  };
  says(whole.substr(0, whole.size() - 2), "not a complete corpus shard: 16 bytes for 1 doc");
  says(whole.substr(0, 10), "not a complete corpus shard: it has only 10 bytes");
  says("", "not a complete corpus shard: it has only 0 bytes");
  says("X" + whole.substr(1), "not a complete corpus shard: unknown format");
  std::string damaged = whole;
  damaged[32] = 4;
  says(damaged, "not a complete corpus shard: its documents do not cover its tokens");
  damaged = whole;
  damaged.back() = 1;
  says(damaged, "damaged: its SHA-256 is not");
  std::vector<int32_t> ids(9);
  EXPECT_THROW(Corpus(folder).train().read(0, ids), Error) << "an id beyond the vocabulary";
  says(read_file(folder / "train-0.tokens"), "damaged: the manifest says 1 documents, 5 tokens, 2 bytes per token");
  fs::remove(folder / "train-1.tokens");
  EXPECT_NE(message().find("train-1.tokens: cannot read this file: No such file"), std::string::npos) << message();
  write_file(folder / "train-1.tokens", whole);
  const auto says_of_manifest = [&](const std::string& content, const std::string& expected) {
    write_file(folder / "manifest.json", content);
    EXPECT_NE(message().find("manifest.json: not a corpus manifest of the format 'rfs corpus 1': " + expected),
              std::string::npos)
        << message();
  };
  std::string other = manifest;
  other.replace(other.find("rfs corpus 1"), 12, "rfs corpus 9");
  says_of_manifest(other, "its format is 'rfs corpus 9'");
  says_of_manifest(manifest.substr(0, manifest.size() / 2), "unknown format");
  says_of_manifest("{\"format\": \"rfs corpus 1\"}", "it is damaged");
}

class Letters : public Tokenizer {  // one id per byte
 public:
  explicit Letters(char first, int64_t size = 20) : first_(first), size_(size) {}
  std::vector<int32_t> encode(std::string_view) const override { return {}; }
  std::string decode(std::span<const int32_t> ids) const override {
    return ids[0] < 25 ? std::string(1, static_cast<char>(first_ + ids[0])) : "";
  }
  int64_t size() const override { return size_; }
  int32_t end() const override { return 0; }
  std::vector<std::string> words(int64_t) const override { return {}; }

 private:
  char first_;
  int64_t size_;
};

TEST_F(CorpusFolder, PlainIdsMustHaveItsSizeAndEnd) {
  write({{3}}, 20);
  const auto says = [&](int64_t size, int64_t end) {
    Table table("tokenizer");
    table.set("size", {size, "test"});
    table.set("end", {end, "test"});
    try {
      Corpus(folder).require(*Choice<Tokenizer>::read(&table, "ids").make());
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  const int64_t end = Corpus(folder).end();
  EXPECT_EQ(says(20, end), "no error");
  EXPECT_EQ(says(24, end), "no error");  // a model may have more ids than the corpus
  const std::string advice = "; add --set tokenizer.size=20 --set tokenizer.end=" + std::to_string(end);
  EXPECT_NE(says(19, end).find(advice), std::string::npos) << says(19, end);
  EXPECT_NE(says(20, end + 1).find(advice), std::string::npos) << says(20, end + 1);
}

TEST_F(CorpusFolder, KnowsItsTokenizer) {
  write({{3}}, 20);
  Manifest manifest = Manifest::read(folder);
  manifest.plan.tokenizer = CorpusTokenizer::of(Letters('a'), "use = \"letters\"\n");
  manifest.write(folder);
  EXPECT_NO_THROW(Corpus(folder).require(Letters('a')));
  EXPECT_THROW(Corpus(folder).require(Letters('a', 19)), Error);
  EXPECT_THROW(Corpus(folder).require(Letters('a', 30)), Error) << "it has further letters";
  manifest.plan.tokenizer = CorpusTokenizer::of(Letters('a', 25), "use = \"letters\"\n");
  manifest.write(folder);
  EXPECT_NO_THROW(Corpus(folder).require(Letters('a', 30))) << "the model has more ids than the tokenizer";
  try {
    Corpus(folder).require(Letters('b'));
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("made with another tokenizer"), std::string::npos);
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
  }
}

}  // namespace
}  // namespace rfs
