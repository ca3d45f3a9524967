// Texts in, shards out: how documents are found, archives, splits, and the same bytes however it was made.

#include "rfs/corpus/make.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <map>

#include "../dead_process.h"
#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/corpus/corpus.h"
#include "rfs/corpus/documents.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;

/// One id a byte, 0 for the end.
class Letters : public Tokenizer {
 public:
  std::vector<int32_t> encode(std::string_view text) const override {
    std::vector<int32_t> ids;
    for (const char c : text) ids.push_back(1 + static_cast<unsigned char>(c));
    return ids;
  }
  std::string decode(std::span<const int32_t> ids) const override {
    std::string text;
    for (const int32_t id : ids) text += id == 0 ? '|' : static_cast<char>(id - 1);
    return text;
  }
  int64_t size() const override { return 257; }
  int32_t end() const override { return 0; }
  std::vector<std::string> words(int64_t) const override { return {}; }
};

class Making : public testing::Test {
 protected:
  fs::path folder = fs::temp_directory_path() / ("rfs_make_test_" + std::to_string(getpid()));
  void SetUp() override { fs::create_directories(folder); }
  void TearDown() override { fs::remove_all(folder); }

  CorpusPlan plan(const std::vector<std::string>& files, const std::string& documents = "auto") {
    CorpusPlan plan;
    plan.tokenizer = CorpusTokenizer::of(Letters(), "use = \"letters\"\n");
    for (const auto& file : files) {
      plan.sources.push_back({folder / file, static_cast<int64_t>(fs::file_size(folder / file))});
    }
    plan.documents = documents;
    plan.separator = "<|endoftext|>";
    plan.field = "text";
    plan.seed = 1;
    plan.shard_tokens = 1'000;
    return plan;
  }

  std::optional<Manifest> make(const CorpusPlan& plan, const std::string& out = "out", const CorpusWork& work = {}) {
    return make_corpus(folder / out, plan, Letters(), work);
  }

  static std::string text(const Corpus::Part& part) {
    std::vector<int32_t> ids(static_cast<size_t>(part.tokens()));
    part.read(0, ids);
    return Letters().decode(ids);
  }

  /// All documents that are made of files, each with '|' behind it.
  std::string documents(const std::vector<std::string>& files, const std::string& kind = "auto") {
    fs::remove_all(folder / "out");
    make(plan(files, kind));
    const Corpus corpus(folder / "out");
    corpus.check();
    corpus.require(Letters());
    return text(corpus.train());
  }

  std::string message(const std::vector<std::string>& files, const std::string& kind = "auto") {
    fs::remove_all(folder / "out");
    try {
      make(plan(files, kind));
      return "";
    } catch (const Error& error) {
      EXPECT_FALSE(fs::exists(folder / "out")) << "something is left behind";
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
      return error.what();
    }
  }

  /// The files of a folder but for the manifest, whose provenance differs.
  std::map<std::string, std::string> bytes(const std::string& out) {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::directory_iterator(folder / out)) {
      if (entry.path().filename() != "manifest.json") all[entry.path().filename()] = read_file(entry.path());
    }
    return all;
  }

  bool shell(const std::string& command) {
    return std::system(("cd " + folder.string() + " && " + command).c_str()) == 0;
  }

  bool has_archives() const { return std::string(RFS_OFF).find("corpus/archive") == std::string::npos; }
};

TEST_F(Making, FindsDocuments) {
  write_file(folder / "a.txt", "one\n\ntwo\n<|endoftext|>\n\nthree\n<|endoftext|>\n");
  EXPECT_EQ(documents({"a.txt"}), "one\n\ntwo|\nthree|");
  EXPECT_EQ(documents({"a.txt"}, "file"), "one\n\ntwo\n<|endoftext|>\n\nthree\n<|endoftext|>\n|");
  EXPECT_EQ(documents({"a.txt"}, "paragraph"), "one|two\n<|endoftext|>|three\n<|endoftext|>|");
  EXPECT_EQ(documents({"a.txt"}, "line"), "one|two|<|endoftext|>|three|<|endoftext|>|");
  write_file(folder / "b.txt", "no separator, no newline");
  EXPECT_EQ(documents({"b.txt", "a.txt"}), "no separator, no newline|one\n\ntwo|\nthree|");
  write_file(folder / "c.txt", "first\r\n<|endoftext|>\r\nlast\r\n");
  EXPECT_EQ(documents({"c.txt"}), "first|last|");
  write_file(folder / "d.jsonl", "{\"text\": \"x\\ny\", \"id\": 1}\n\n{\"text\": \"\\u00e4\"}");
  EXPECT_EQ(documents({"d.jsonl"}), "x\ny|\xc3\xa4|");
  fs::rename(folder / "d.jsonl", folder / "d.txt");
  EXPECT_EQ(documents({"d.txt"}, "json"), "x\ny|\xc3\xa4|");
  EXPECT_EQ(Corpus(folder / "out").manifest().empty, 1);
}

TEST_F(Making, LeavesOutBrokenDocuments) {
  write_file(folder / "a.txt", "good\n<|endoftext|>\nbad \xff\n<|endoftext|>\n \n<|endoftext|>\nalso good\n");
  write_file(folder / "b.jsonl", "{\"text\": \"x\"}\n{\"text\": 3}\n{\"text\"\n{\"text\": \"\xff\"}\n");
  std::vector<std::string> told;
  CorpusWork work;
  work.broken = [&](const std::string& reason) { told.push_back(reason); };
  const auto manifest = make(plan({"a.txt", "b.jsonl"}), "out", work);
  EXPECT_EQ(text(Corpus(folder / "out").train()), "good|also good|x|");
  EXPECT_EQ(manifest->empty, 1);
  EXPECT_EQ(manifest->broken, 4);
  EXPECT_EQ(manifest->bytes, 14);
  EXPECT_EQ(manifest->reasons, told);
  ASSERT_EQ(told.size(), 4u);
  EXPECT_NE(told[0].find("a.txt:2: not UTF-8: byte 0xff at offset 4"), std::string::npos) << told[0];
  EXPECT_NE(told[1].find("b.jsonl:2: not a JSON object with a text in \"text\""), std::string::npos) << told[1];
  EXPECT_NE(told[2].find("b.jsonl:3: not valid JSON"), std::string::npos) << told[2];
  write_file(folder / "c.txt", "\xff");
  EXPECT_NE(message({"c.txt"}).find("no documents found in the sources (0 empty, 1 broken: "), std::string::npos);
}

TEST_F(Making, RefusesADocumentLongerThanAnything) {
  write_file(folder / "a.txt", "");
  fs::resize_file(folder / "a.txt", DocumentReader::largest + 1);
  for (const char* kind : {"auto", "file"}) {
    EXPECT_NE(message({"a.txt"}, kind).find("a.txt: a document is larger than 256 MB; --documents sets how"),
              std::string::npos);
  }
}

TEST_F(Making, KnowsUtf8) {
  for (const std::string good : {"", "abc", "\xc2\x80", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xef\xbf\xbf",
                                 "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf", "12345678\xc3\xa4"}) {
    EXPECT_EQ(broken_utf8(good), std::string::npos) << good;
  }
  for (const std::string bad : {"\x80", "\xc0\x80", "\xc1\xbf", "\xc3", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xe2\x82",
                                "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff"}) {
    EXPECT_EQ(broken_utf8("12345678" + bad), 8u) << bad;
    EXPECT_EQ(broken_utf8("1" + bad + "2345678"), 1u) << bad;
  }
}

TEST_F(Making, ReadsArchivesWithinArchives) {
  if (!has_archives()) GTEST_SKIP() << "NOT TESTED: built without libarchive";
  write_file(folder / "t/1.txt", "one");
  write_file(folder / "t/2.txt", "two\n");
  write_file(folder / "t/3.jsonl", "{\"text\": \"three\"}\n");
  write_file(folder / "t/4.txt", "");
  ASSERT_TRUE(
      shell("tar --sort=name -cf plain.tar t && tar --sort=name -czf small.tar.gz t && gzip -k t/3.jsonl && "
            "mv t/3.jsonl.gz ."));
  EXPECT_EQ(documents({"plain.tar"}), "one|two\n|three|");
  EXPECT_EQ(documents({"small.tar.gz", "3.jsonl.gz"}), "one|two\n|three|three|");
  if (shell("command -v zstd >/dev/null")) {
    ASSERT_TRUE(shell("zstd -q plain.tar && zstd -q t/2.txt -o 2.txt.zst"));
    EXPECT_EQ(documents({"plain.tar.zst", "2.txt.zst"}), "one|two\n|three|two\n|");
  }
  if (!shell("command -v xz >/dev/null")) GTEST_SKIP() << "NOT TESTED: needs xz";
  // OpenWebText as it is published: a tar, itself compressed, of compressed tars whose names end in .xz alone.
  ASSERT_TRUE(
      shell("mkdir openwebtext && xz -k plain.tar && cp plain.tar.xz openwebtext/subset00_data.xz && "
            "cp plain.tar.xz openwebtext/subset01_data.xz && tar -cJf openwebtext.tar.xz openwebtext && "
            "xz -k t/1.txt && mv t/1.txt.xz ."));
  EXPECT_EQ(documents({"plain.tar.xz", "1.txt.xz"}), "one|two\n|three|one|");
  EXPECT_EQ(documents({"openwebtext.tar.xz"}), "one|two\n|three|one|two\n|three|");
}

TEST_F(Making, RefusesBrokenArchives) {
  if (!has_archives()) GTEST_SKIP() << "NOT TESTED: built without libarchive";
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += std::to_string(i * 7'919 % 10'007) + " ";
  write_file(folder / "a.txt", text);
  ASSERT_TRUE(shell("tar -cf a.tar a.txt && gzip -k a.txt && gzip -k a.tar"));
  const auto cut = [&](const std::string& name) {
    const std::string whole = read_file(folder / name);
    write_file(folder / ("cut." + name), whole.substr(0, whole.size() / 2));
    const std::string said = message({"cut." + name});
    EXPECT_NE(said.find("cut." + name + ": cannot unpack this file: "), std::string::npos) << said;
  };
  cut("a.tar");
  cut("a.txt.gz");
  cut("a.tar.gz");
  if (shell("command -v xz >/dev/null")) {
    ASSERT_TRUE(shell("xz -k a.tar && tar -cf nested.tar a.tar.xz"));
    cut("a.tar.xz");
    std::string damaged = read_file(folder / "a.tar.xz");
    damaged[damaged.size() / 2] ^= 1;
    write_file(folder / "a.tar.xz", damaged);
    EXPECT_NE(message({"a.tar.xz"}).find("a.tar.xz: cannot unpack this file"), std::string::npos);
    ASSERT_TRUE(shell("tar -cf nested.tar a.tar.xz"));
    EXPECT_NE(message({"nested.tar"}).find("nested.tar/a.tar.xz: cannot unpack this file"), std::string::npos);
  }
  if (shell("command -v zstd >/dev/null && zstd -q a.tar")) cut("a.tar.zst");
  write_file(folder / "text.tar", "not a tar");
  EXPECT_NE(message({"text.tar"}).find("text.tar: not an archive, in spite of its name"), std::string::npos);
}

class MakingMany : public Making {
 protected:
  void SetUp() override {
    Making::SetUp();
    for (const char* name : {"a.txt", "t/1", "t/2", "t/3"}) {
      std::string all;
      for (int i = 0; i < 400; ++i) {
        const std::string repeated = name + std::to_string(i) + "\n";
        for (int k = 0; k < 10 + i * 7 % 130; ++k) all += repeated;
        if (i % 50 == 7) all += "\xff\n";
        all += "<|endoftext|>\n";
      }
      write_file(folder / name, all);
    }
    files = {"a.txt"};
    if (has_archives() && shell("tar --sort=name -czf t.tar.gz t")) files.push_back("t.tar.gz");
  }

  CorpusPlan many() {
    auto some = plan(files);
    some.validation = 0.1;
    some.shard_tokens = 50'000;
    return some;
  }
  std::vector<std::string> files;
};

TEST_F(MakingMany, TheSameBytesForAnyNumberOfThreads) {
  auto some = many();
  const auto manifest = make(some, "one");
  const Corpus corpus(folder / "one");
  EXPECT_GT(manifest->train.size(), 5u);
  EXPECT_GT(manifest->validation.size(), 1u);
  const auto share = static_cast<double>(corpus.validation().documents()) /
                     static_cast<double>(corpus.train().documents() + corpus.validation().documents());
  EXPECT_NEAR(share, 0.1, 0.04);
  CorpusWork work;
  for (const int threads : {2, 5}) {
    work.threads = threads;
    const std::string out = "threads" + std::to_string(threads);
    EXPECT_EQ(make(some, out, work)->hash, manifest->hash);
    EXPECT_EQ(bytes(out), bytes("one"));
  }
  // Which documents are for validation depends on text and seed: equal ones go together, another seed takes others.
  auto twice = some;
  twice.sources.push_back(twice.sources.front());
  make(twice, "twice");
  const std::string train = text(Corpus(folder / "twice").train());
  for (int64_t i = 0; i < corpus.validation().documents(); ++i) {
    const auto [begin, end] = corpus.validation().document(i);
    std::vector<int32_t> ids(static_cast<size_t>(end - begin));
    corpus.validation().read(begin, ids);
    EXPECT_EQ(("|" + train).find("|" + Letters().decode(ids)), std::string::npos);
  }
  some.seed = 2;
  EXPECT_NE(make(some, "seed")->hash, manifest->hash);
}

TEST_F(MakingMany, GoesOnWhereItWasStopped) {
  auto some = many();
  const auto whole = make(some, "whole");
  CorpusWork work;
  int calls = 0, rounds = 0;
  work.stopped = [&] { return ++calls % 2 == 0; };  // each round takes a batch or none
  std::optional<Manifest> made;
  while (!(made = make(some, "parts", work))) {
    ASSERT_LT(++rounds, 100'000);
    EXPECT_THROW(Corpus(folder / "parts"), Error);
    if (rounds == 1) {
      auto other = some;
      other.seed = 3;
      EXPECT_THROW(make(other, "parts"), Error);
    }
    write_file(temporary_path_of_the_dead(folder / "parts/train-00000.tokens"), "half");
  }
  EXPECT_GT(rounds, 0);
  EXPECT_EQ(made->hash, whole->hash);
  EXPECT_EQ(made->broken, whole->broken);
  EXPECT_EQ(made->bytes, whole->bytes);
  EXPECT_EQ(bytes("parts"), bytes("whole"));
  // A finished one is left as it is; one of another plan is refused, and so is a folder of other files.
  EXPECT_EQ(make(some, "whole")->hash, whole->hash);
  some.seed = 4;
  EXPECT_THROW(make(some, "whole"), Error);
  EXPECT_THROW(make(some, "t"), Error);
}

TEST_F(MakingMany, BeginsWhereAProcessWasKilledBeforeItsFirstFile) {
  write_file(temporary_path_of_the_dead(folder / "parts/progress.json"), "half");
  make(many(), "whole");
  make(many(), "parts");
  EXPECT_EQ(bytes("parts"), bytes("whole"));
}

// Killed between two writes: the record of progress is older than the shards beside it.
TEST_F(MakingMany, GoesOnFromAnOlderRecord) {
  auto some = many();
  const auto whole = make(some, "whole");
  CorpusWork work;
  std::string older;
  int64_t documents = 0;
  work.progress = [&](const CorpusProgress& progress) { documents = progress.documents; };
  work.stopped = [&] { return documents > 200; };
  ASSERT_FALSE(make(some, "parts", work));
  older = read_file(folder / "parts/progress.json");
  work.stopped = [&] { return documents > 900; };
  const bool more = !make(some, "parts", work);
  if (!more) GTEST_SKIP() << "made in one go";
  write_file(folder / "parts/progress.json", older);
  EXPECT_EQ(make(some, "parts")->hash, whole->hash);
  EXPECT_EQ(bytes("parts"), bytes("whole"));
}

}  // namespace
}  // namespace rfs
