// rfs corpus, as a user runs it.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <map>

#include "../data.h"
#include "program.h"
#include "rfs/core/files.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;

/// The files of a folder, except the manifest, whose provenance differs.
std::map<std::string, std::string> shards(const fs::path& folder) {
  std::map<std::string, std::string> all;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".tokens") all[entry.path().filename()] = read_file(entry.path());
  }
  return all;
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(CorpusVerb, MakesAndShowsWhatItMade) {
  const Scratch scratch;
  scratch.write("in/a.txt", "5 6 7\n<|endoftext|>\n8 9\n<|endoftext|>\nnot numbers\n<|endoftext|>\nB\xe4r\n");
  scratch.write("in/b.jsonl", "{\"body\": \"10 11\"}\n{\"text\": \"12\"}\n");
  const std::string made = "corpus make out in --field body --validation 0 --set tokenizer.use=ids";
  auto outcome = run_program(made, scratch.path());
  ASSERT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_TRUE(says(outcome.output, "train               3 documents            10 tokens     1 shards"))
      << outcome.output;
  EXPECT_TRUE(says(outcome.output, "skipped             3 broken documents, the first: in/a.txt:3: "))
      << outcome.output;
  EXPECT_TRUE(says(outcome.error, "skipped  in/b.jsonl:2: not a JSON object with a text in \"body\"")) << outcome.error;
  EXPECT_TRUE(says(outcome.error, "skipped  in/a.txt:4: not UTF-8: byte 0xe4 at offset 1\n")) << outcome.error;
  outcome = run_program("corpus show out --check", scratch.path());
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_TRUE(says(outcome.output, "train: longest document 4 tokens, mean 3.3")) << outcome.output;
  EXPECT_TRUE(says(outcome.output, "  document 2, 3 tokens\n    10 11\n")) << outcome.output;
  EXPECT_TRUE(says(outcome.output, "all shard hashes match")) << outcome.output;
  outcome = run_program(made, scratch.path());
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_TRUE(says(outcome.error, "already complete; nothing to do")) << outcome.error;
  outcome = run_program(made + " --seed 2", scratch.path());
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(says(outcome.error, "out: already holds another corpus")) << outcome.error;
  EXPECT_FALSE(scratch.has("out.lock"));

  const std::string shard = scratch.read("out/train-00000.tokens"), manifest = scratch.read("out/manifest.json");
  std::string damaged = manifest;
  damaged.replace(damaged.find("\"reasons\": ["), 12, "\"reasons\": [], \"others\": [");
  scratch.write("out/manifest.json", damaged);
  outcome = run_program("corpus show out", scratch.path());
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(says(outcome.error, "manifest.json: not a corpus manifest of the format 'rfs corpus 1': it is damaged"))
      << outcome.error;
  scratch.write("out/manifest.json", manifest);
  scratch.write("out/train-00000.tokens", shard.substr(0, shard.size() - 1));
  outcome = run_program(made, scratch.path());
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(says(outcome.error, "; remove the folder to start again\n")) << outcome.error;
  outcome = run_program("corpus show out", scratch.path());
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(says(outcome.error, "out/train-00000.tokens: not a complete corpus shard: ")) << outcome.error;
  scratch.write("out/train-00000.tokens", shard.substr(0, shard.size() - 1) + "\x01");
  outcome = run_program("corpus show out --check", scratch.path());
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(says(outcome.error, "damaged: its SHA-256 is not")) << outcome.error;
}

TEST(CorpusVerb, KnowsFilesWhoseNamesAreNotUtf8) {
  const Scratch scratch;
  scratch.write("B\xe4r.txt", "5 6 7\n");
  for (const char* said : {"tokenized 0 MB of text", "already complete; nothing to do"}) {
    const auto outcome = run_program("corpus make out B*.txt --set tokenizer.use=ids", scratch.path());
    EXPECT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_TRUE(says(outcome.error, said)) << outcome.error;
  }
}

TEST(CorpusVerb, SaysThatALockNamesNoProcess) {
  const Scratch scratch;
  scratch.write("in.txt", "5 6 7\n");
  scratch.write("empty.lock", "");
  fs::create_directories(scratch.path() / "folder.lock");
  fs::create_symlink("nowhere", scratch.path() / "link.lock");
  ASSERT_EQ(mkfifo((scratch.path() / "pipe.lock").c_str(), 0600), 0);
  for (const std::string out : {"empty", "folder", "link", "pipe"}) {
    const auto outcome = kill_program("corpus make " + out + " in.txt --set tokenizer.use=ids", scratch.path(), "", 60);
    EXPECT_EQ(outcome.code, 2) << outcome.error;
    EXPECT_TRUE(
        says(outcome.error, out + ": another process is making this corpus (the lock names no process; remove "))
        << outcome.error;
    EXPECT_FALSE(scratch.has(out));
  }
}

TEST(CorpusVerb, EndsWithTheSameBytesHoweverOftenItIsKilled) {
  const Scratch scratch;
  std::string text;
  for (int i = 0; i < 30'000; ++i) {
    for (int k = 0; k < 20 + i % 50; ++k) text += std::to_string((i * 31 + k * 17) % 30'000) + " ";
    text += "\n<|endoftext|>\n";
  }
  scratch.write("a.txt", text);
  const std::string options = " a.txt --validation 0.05 --shard 20000 --set tokenizer.use=ids";
  ASSERT_EQ(run_program("corpus make whole --threads 1" + options, scratch.path()).code, 0);
  ASSERT_EQ(run_program("corpus make two --threads 2" + options, scratch.path()).code, 0);
  const auto whole = shards(scratch.path() / "whole");
  EXPECT_GT(whole.size(), 50u);
  EXPECT_EQ(shards(scratch.path() / "two"), whole);

  // One Ctrl-C is enough, and finished work is kept.
  const auto stopped =
      interrupt_program("corpus make parts" + options, scratch.path(), scratch.path() / "parts/train-00003.tokens");
  ASSERT_EQ(stopped.code, 130) << stopped.error;
  EXPECT_TRUE(says(stopped.error, "run the same command to resume")) << stopped.error;
  int killed = 0;
  Outcome outcome;
  for (double seconds = 0.3;
       (outcome = kill_program("corpus make parts" + options, scratch.path(), "", seconds)).code == 128 + SIGKILL;
       seconds += 0.3) {
    ++killed;
  }
  ASSERT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_EQ(shards(scratch.path() / "parts"), whole);
  EXPECT_EQ(run_program("corpus show parts --check", scratch.path()).code, 0);
  RecordProperty("killed", killed);
}

TEST(CorpusVerb, MakesGpt2TokensByDefault) {
  RFS_NEEDS_DATA();
  const Scratch scratch;
  scratch.write("a.txt", "Hello, world!\n<|endoftext|>\n\xe5\x90\x88\xe6\xb0\x97 <|endoftext|> in a line\n");
  const auto made = run_program("corpus make out a.txt --validation 0", scratch.path());
  if (says(made.error, "unknown tokenizer.use")) GTEST_SKIP() << "NOT TESTED: built without PCRE2";
  ASSERT_EQ(made.code, 0) << made.error;
  const auto shown = run_program("corpus show out", scratch.path());
  EXPECT_TRUE(says(shown.output, "document 0, 5 tokens\n    Hello, world!\n")) << shown.output;
  EXPECT_TRUE(says(shown.output, "\xe5\x90\x88\xe6\xb0\x97 <|endoftext|> in a line\n")) << shown.output;
  EXPECT_TRUE(says(shown.output, "50257 ids, 2 bytes each")) << shown.output;
}

}  // namespace
}  // namespace rfs
