#include "rfs/core/files.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <thread>

#include "rfs/core/error.h"
#include "rfs/core/mapped_file.h"
#include "rfs/core/statistics.h"
#include "rfs/records/run.h"
#include "tests/sanitizer.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  fs::path folder = fs::temp_directory_path() / ("rfs_files_test_" + std::to_string(getpid()));
  void SetUp() override { fs::create_directories(folder); }
  void TearDown() override { fs::remove_all(folder); }
  size_t count() const { return static_cast<size_t>(std::distance(fs::directory_iterator(folder), {})); }
};

TEST_F(Files, AreReplacedWholeOrNotAtAll) {
  const auto path = folder / "a" / "b.txt";
  write_file(path, "one");
  write_file(path, "two");
  EXPECT_EQ(read_file(path), "two");
  EXPECT_THROW(write_file(path,
                          [](std::ostream& out) {
                            out << "half";
                            throw Error("stopped in the middle");
                          }),
               Error);
  EXPECT_EQ(read_file(path), "two");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder / "a"), {}), 1);
}

TEST_F(Files, AWritableFolderIsLeftAsItWas) {
  write_file(folder / ".writable", "a user's");
  require_writable(folder);
  EXPECT_EQ(read_file(folder / ".writable"), "a user's");
  EXPECT_EQ(count(), 1u);
}

TEST_F(Files, AreReadWholeWithoutASizeToo) {
  EXPECT_NE(read_file("/proc/self/status").find("Name:"), std::string::npos);  // stat reports size 0
  const std::string large(3'000'000, 'x');
  write_file(folder / "large", large);
  EXPECT_EQ(read_file(folder / "large"), large);
}

TEST_F(Files, TooLargeForTheMemoryIsAnError) {
  RFS_NEEDS_NO_SANITIZER();
  write_file(folder / "large.jsonl", "x");
  fs::resize_file(folder / "large.jsonl", 1'000'000'000);  // a sparse file
  const auto read_with_little_memory = [&] {
    std::ifstream in("/proc/self/statm");
    rlim_t pages = 0;
    in >> pages;
    const rlim_t most = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + 300'000'000;
    const rlimit limit{most, most};
    if (setrlimit(RLIMIT_AS, &limit) != 0) std::exit(3);
    try {
      read_file(folder / "large.jsonl");
    } catch (const Error& error) {
      std::fputs(error.what(), stderr);
      std::exit(2);
    }
    std::exit(0);
  };
  EXPECT_EXIT(read_with_little_memory(), testing::ExitedWithCode(2),
              "large.jsonl: too little memory to read this file of 1000.0 MB; ");
}

TEST_F(Files, WithoutAnEndAreRefused) {
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  const auto says = [](const fs::path& path) {
    EXPECT_THROW(MappedFile{path}, Error);
    try {
      read_file(path);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(says(folder / "pipe"), (folder / "pipe").string() + ": must be a file, got a named pipe");
  EXPECT_EQ(says("/dev/zero"), "/dev/zero: must be a file, got a device");
  EXPECT_EQ(says(folder), folder.string() + ": must be a file, got a folder");
}

TEST_F(Files, OfAShellsPipesAreRead) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  std::thread writer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(write(ends[1], "text", 4), 4);
    close(ends[1]);
  });
  EXPECT_EQ(read_file("/dev/fd/" + std::to_string(ends[0])), "text");
  writer.join();
  close(ends[0]);
}

TEST_F(Files, FailuresNameTheFile) {
  write_file(folder / "file", "");
  for (const auto& body : std::vector<std::function<void()>>{
           [&] { write_file(folder / "file" / "below", "x"); }, [&] { read_file(folder / "missing"); },
           [&] { read_file(folder); }, [&] { require_writable(folder / "file"); },
           [&] { write_file(folder / std::string(300, 'x'), "x"); }}) {
    try {
      body();
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(": "), std::string::npos);
    }
  }
  EXPECT_EQ(count(), 1u);
}

TEST_F(Files, RecordsWithImpossibleCountsAreRefused) {
  const rfs::Run run(folder);
  const auto says = [](const std::function<void()>& body) {
    try {
      body();
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EvalRecord eval;
  eval.lengths = {{2, 3, -4, true}};
  run.write(eval);
  EXPECT_NE(says([&] { run.eval_record(); }).find("eval.json: 'total' must be an integer from 0 to 9007199254740992"),
            std::string::npos);
  TrainRecord train;
  train.trained_length = std::numeric_limits<int64_t>::max();
  run.write(train);
  EXPECT_NE(says([&] { run.train_record(); }).find("train.json: 'trained_length' must be"), std::string::npos);
}

TEST_F(Files, RecordsComeBackAsTheyWere) {
  const rfs::Run run(folder);
  EXPECT_FALSE(run.exists() || run.trained() || run.evaluated());
  TrainRecord train{7, 8, 9, 10, 1.5, 0.25, 6, 0.5, 6, {{"commit", "abc"}, {"command", "not UTF-8: \xff"}}};
  run.write(train);
  EXPECT_EQ(run.train_record().tokens, 8);
  EXPECT_EQ(run.train_record().provenance.at("commit"), "abc");
  EXPECT_EQ(run.train_record().best_validation, 0.5);
  write_file(
      run.file("train.json"),  // a record from a version without validation
      R"({"steps": 7, "tokens": 8, "trained_length": 9, "parameters": 1, "seconds": 1, "loss": 1, "provenance": {}})");
  EXPECT_EQ(run.train_record().model_step, 7);
  EXPECT_FALSE(run.train_record().best_validation);
  EvalRecord eval;
  eval.lengths = {{2, 3, 4, true}, {3, 1, 4, true}, {5, 1, 4, false}};
  eval.answers = {{2, "p", "e", "g", false}};
  run.write(eval);
  EXPECT_DOUBLE_EQ(*run.eval_record().mean(true), 0.5);
  EXPECT_DOUBLE_EQ(*run.eval_record().mean(false), 0.25);
  EXPECT_EQ(run.eval_record().answers[0].given, "g");
  EXPECT_FALSE(run.eval_record().lengths[0].decoded) << "as written before answers were measured";
  eval.lengths[0].decoded = {4, 0.75, 0.125, {0, 1}, {{"dropped", 1}}};
  run.write(eval, "current");
  EXPECT_EQ(run.evaluations(), (std::vector<std::string>{"", "current"}));
  EXPECT_TRUE(run.evaluated("current"));
  EXPECT_FALSE(run.evaluated("other"));
  const auto lengths = run.eval_record("current").lengths;
  EXPECT_EQ(lengths[0].decoded->samples, 4);
  EXPECT_EQ(lengths[0].decoded->token_accuracy, 0.75);
  EXPECT_EQ(lengths[0].decoded->edit_distance, 0.125);
  EXPECT_EQ(lengths[0].decoded->first_mistakes, (std::vector<int64_t>{0, 1}));
  EXPECT_EQ(lengths[0].decoded->mistakes.at("dropped"), 1);
  EXPECT_FALSE(lengths[1].decoded);
  EXPECT_FALSE(run.eval_record().lengths[0].decoded);
  for (const char* name : {"a/b", ".", "a b", "\xc3\xa4", "a\nb"}) EXPECT_THROW(run.write(eval, name), Error) << name;
  for (const int64_t step : {50, 100, 150, 200}) run.add({step, 1.0 / static_cast<double>(step), 0, 0, 0, {}});
  run.add({250, 1, 0, 0, 0, 0.75});
  append_line(run.file("metrics.jsonl"), "{\"step\": 2");  // an incomplete line
  ASSERT_EQ(run.metrics().size(), 5u);
  EXPECT_FALSE(run.metrics()[3].validation);
  EXPECT_EQ(run.metrics()[4].validation, 0.75);
  run.keep_metrics(150);
  ASSERT_EQ(run.metrics().size(), 3u);
  EXPECT_EQ(run.metrics()[2].step, 150);
  EXPECT_EQ(run.metrics()[2].loss, 1.0 / 150);
  write_file(run.file("eval.json"), "{\"lengths\": 3}");
  EXPECT_THROW(run.eval_record(), Error);
  EXPECT_THROW(find_runs(folder), Error);
  write_file(folder / "x" / "settings.toml", "");
  EXPECT_EQ(find_runs(folder).front().name(), "x");
}

// Reference values: the interval's ends solve (share - p)^2 = z^2 p (1 - p) / n.
TEST(Wilson, SolvesItsEquation) {
  for (const auto& [correct, total] :
       std::vector<std::pair<int64_t, int64_t>>{{0, 10}, {3, 10}, {10, 10}, {437, 500}}) {
    const double z = 1.959963984540054, n = static_cast<double>(total), share = static_cast<double>(correct) / n;
    const auto [low, high] = wilson(correct, total);
    for (const double p : {low, high}) EXPECT_NEAR((share - p) * (share - p), z * z * p * (1 - p) / n, 1e-12);
    EXPECT_LE(low, share + 1e-12);
    EXPECT_GE(high, share - 1e-12);
  }
  EXPECT_EQ(wilson(0, 0).high, 1);
}

}  // namespace
}  // namespace rfs
