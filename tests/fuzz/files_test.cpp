// Damaged and random files. Each one is loaded or refused with a one-line error, without a crash, a hang or a huge
// allocation. The loop is short by default; RFS_FUZZ=2000 tries 2,000 files per format. Run it with the asan preset.

#include "rfs/core/files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "../data.h"
#include "rfs/benchmarks/benchmark.h"
#include "rfs/core/random.h"
#include "rfs/corpus/corpus.h"
#include "rfs/records/run.h"
#include "rfs/records/scores.h"
#include "rfs/tasks/examples_file.h"
#include "rfs/tasks/samples_file.h"
#include "rfs/tasks/task.h"
#include "rfs/text/tokenizer.h"

namespace rfs {
namespace {

uint64_t rounds() {
  const char* given = std::getenv("RFS_FUZZ");
  return given ? std::strtoull(given, nullptr, 10) : 25;
}

/// Applies one to four changes: flips bits, removes, repeats or inserts a piece, or cuts off the end. One file in
/// twenty is pure noise.
std::string damaged(std::string content, Stream& stream) {
  const auto place = [&] { return content.empty() ? size_t{0} : static_cast<size_t>(stream.below(content.size())); };
  const auto noise = [&](size_t size) {
    std::string bytes(size, '\0');
    for (char& byte : bytes) byte = static_cast<char>(stream.bits());
    return bytes;
  };
  if (stream.below(20) == 0) return noise(stream.below(4096));
  for (uint64_t changes = 1 + stream.below(4); changes > 0; --changes) {
    const size_t at = place(), size = static_cast<size_t>(stream.below(64));
    switch (stream.below(5)) {
      case 0:
        for (size_t i = at; i < std::min(content.size(), at + size); ++i)
          content[i] ^= static_cast<char>(1 << stream.below(8));
        break;
      case 1:
        content.erase(at, size);
        break;
      case 2:
        content.insert(at, content.substr(place(), size));
        break;
      case 3:
        content.insert(at, noise(size));
        break;
      default:
        content.resize(at);
    }
  }
  return content;
}

std::string first_lines(const std::string& text, int count) {
  size_t end = 0;
  for (; count > 0; --count) end = text.find('\n', end) + 1;
  return text.substr(0, end);
}

class Damaged : public testing::Test {
 protected:
  std::filesystem::path folder = std::filesystem::temp_directory_path() / ("rfs_fuzz_test_" + std::to_string(getpid()));
  void TearDown() override { std::filesystem::remove_all(folder); }

  /// Loads `rounds()` damaged copies of `content`. `load` may only throw Error.
  void check(const std::string& name, const std::string& content,
             const std::function<void(const std::string& path)>& load) {
    uint64_t loaded = 0;
    for (uint64_t round = 0; round < rounds(); ++round) {
      Stream stream(7, "fuzz " + name, round);
      const auto path = (folder / name).string();
      write_file(path, damaged(content, stream));
      try {
        load(path);
        ++loaded;
      } catch (const Error& error) {
        const std::string line = error.what();
        EXPECT_FALSE(line.empty());
        EXPECT_EQ(line.find('\n'), std::string::npos) << line;
      } catch (const std::exception& error) {
        ADD_FAILURE() << name << ", round " << round << ": " << error.what();
      }
    }
    RecordProperty(name, std::to_string(loaded) + " of " + std::to_string(rounds()) + " loaded");
  }

  static std::string data(const std::string& name) {
    return read_file(std::filesystem::path(std::getenv("RFS_DATA")) / name);
  }

  template <class Interface>
  static std::unique_ptr<Interface> make(const std::string& use,
                                         const std::vector<std::pair<std::string, std::string>>& keys) {
    Table table{std::string(Interface::family)};
    for (const auto& [key, value] : keys) table.set(key, Value{value, "test"});
    return Choice<Interface>::read(&table, use).make();
  }
};

TEST_F(Damaged, Settings) {
  check("settings.toml", read_file(RFS_SOURCE "/experiments/demo.toml"),
        [](const std::string& path) { Settings::from_file(path); });
}

TEST_F(Damaged, Records) {
  const rfs::Run run(folder);
  EvalRecord eval;
  eval.lengths = {{2, 3, 4, true}, {5, 1, 4, false}};
  eval.answers = {{2, "p", "e", "g", false}};
  run.write(eval);
  const std::string content = read_file(run.file("eval.json"));
  check("eval.json", content, [&](const std::string&) { run.eval_record(); });
  run.add({50, 1.0, 1e-3, 2.0, 1000.0, {}});
  run.add({100, 0.5, 1e-3, 2.0, 1000.0, 0.25});
  const std::string lines = read_file(run.file("metrics.jsonl"));
  check("metrics.jsonl", lines, [&](const std::string&) { run.metrics(); });
}

TEST_F(Damaged, DataFiles) {
  Examples examples;
  for (int64_t i = 0; i < 50; ++i) examples.add(std::vector<int32_t>{1, 2, 3, 4, 0}, 1 + i % 4, i);
  write_examples(folder / "whole.bin", {examples, "words", "abc", 5});
  check("data.bin", read_file(folder / "whole.bin"), [](const std::string& path) { map_examples(path); });
  write_samples(folder / "whole.jsonl", std::vector<Sample>(20, {"Copy: a b", " a b", 2}));
  check("data.jsonl", read_file(folder / "whole.jsonl"), [](const std::string& path) { read_samples(path); });
}

TEST_F(Damaged, Corpora) {
  Manifest manifest;
  manifest.plan.tokenizer = {"use = \"ids\"\n", "", 20, 0};
  const std::vector<int64_t> ends = {3, 4, 9};
  const std::vector<int32_t> ids(9, 7);
  manifest.train = {{"train.tokens", 9, 3, write_shard(folder / "train.tokens", 2, ends, ids)}};
  manifest.write(folder);
  const auto load = [&](const std::string&) {
    const Corpus corpus(folder);
    std::vector<int32_t> all(static_cast<size_t>(corpus.train().tokens()));
    corpus.train().read(0, all);
    for (int64_t i = 0; i < corpus.train().documents(); ++i) corpus.train().document(i);
    corpus.train().longest();
  };
  const std::string shard = read_file(folder / "train.tokens"), text = read_file(folder / "manifest.json");
  check("train.tokens", shard, load);
  write_file(folder / "train.tokens", shard);
  check("manifest.json", text, load);
}

TEST_F(Damaged, Benchmarks) {
  const std::vector<std::pair<std::string, std::string>> lines = {
      {"arc_easy",
       R"({"question": {"stem": "Why?", "choices": [{"text": "a", "label": "A"}, {"text": "b", "label": "B"}]}, )"
       R"("answerKey": "B"})"},
      {"hellaswag",
       R"({"activity_label": "a", "ctx_a": "b [title] c", "ctx_b": "\u00e9", "endings": ["d", "e"], "label": 1})"},
      {"race",
       R"({"article": "a", "questions": ["b  _  .", "c"], "options": [["d", "e"], ["f", "g"]], "answers": ["A", "B"]})"},
      {"winogrande", R"({"sentence": "a _ b", "option1": "c", "option2": "d", "answer": "1"})"},
      {"boolq", R"({"passage": "a", "question": "b", "label": true})"}};
  for (const auto& [name, line] : lines) {
    const auto benchmark = make<Benchmark>(name, {});
    check(name + ".jsonl", line + "\n" + line + "\n",
          [&](const std::string& path) { read_documents(*benchmark, path); });
  }
  const rfs::Run run(folder);
  ScoreRecord record;
  record.benchmark = "boolq";
  write_scores(run, record, {});
  const std::string content = read_file(run.file("score-boolq.json"));
  check("score-boolq.json", content, [&](const std::string&) { read_scores(run, "boolq"); });
}

TEST_F(Damaged, ScanCommands) {
  RFS_NEEDS_DATA();
  const auto words = make<Tokenizer>("words", {});
  check("tasks.txt", data("scan/tasks.txt").substr(0, 20'000), [&](const std::string& path) {
    make<Task>("scan", {{"file", path}})->samples(Split::test, *words);
  });
}

TEST_F(Damaged, Gpt2Files) {
  RFS_NEEDS_DATA();
  if (std::string(RFS_OFF).find("gpt2") != std::string::npos) GTEST_SKIP() << "NOT TESTED: built without PCRE2";
  // The byte tokens and the first 200 merges of the real files: small enough for many rounds.
  nlohmann::json first;
  const auto all = nlohmann::json::parse(data("gpt2/encoder.json"));
  for (const auto& [token, id] : all.items()) {
    if (id.get<int>() < 456) first[token] = id;
  }
  first["<|endoftext|>"] = 456;
  const std::string encoder = first.dump(), merges = first_lines(data("gpt2/vocab.bpe"), 201);
  write_file(folder / "whole.json", encoder);
  write_file(folder / "whole.bpe", merges);
  check("encoder.json", encoder, [&](const std::string& path) {
    make<Tokenizer>("gpt2", {{"encoder", path}, {"merges", folder / "whole.bpe"}})->encode("Hello, world 123!");
  });
  check("vocab.bpe", merges, [&](const std::string& path) {
    make<Tokenizer>("gpt2", {{"encoder", folder / "whole.json"}, {"merges", path}})->encode("Hello, world 123!");
  });
}

TEST_F(Damaged, TokenizerJson) {
  if (std::string(RFS_OFF).find("text/hf") != std::string::npos) GTEST_SKIP() << "NOT TESTED: built without PCRE2";
  for (const std::string name : {"qwen2", "llama2", "mistral"}) {
    check(name + ".json", read_file(RFS_SOURCE "/tests/golden/hf_tokenizers/" + name + ".json"),
          [&](const std::string& path) {
            const auto tokenizer = make<Tokenizer>("hf", {{"file", path}});
            tokenizer->decode(tokenizer->encode("It's 12 e\u0301 <|im_start|><s>\xff\n"));
          });
  }
}

TEST_F(Damaged, T5Model) {
  RFS_NEEDS_DATA();
  if (std::string(RFS_OFF).find("t5") != std::string::npos) GTEST_SKIP() << "NOT TESTED: built without SentencePiece";
  check("spiece.model", data("t5/spiece.model"), [](const std::string& path) {
    const auto tokenizer = make<Tokenizer>("t5", {{"file", path}});
    tokenizer->decode(tokenizer->encode("Copy: 1 southern I M [SEP]"));
  });
}

}  // namespace
}  // namespace rfs
