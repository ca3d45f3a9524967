#include "rfs/records/scores.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>

#include "rfs/core/error.h"
#include "rfs/core/files.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;

ScoredDocument document(std::vector<double> scores, std::vector<int64_t> code_points, int64_t size, int64_t gold) {
  ScoredDocument one;
  one.log_likelihoods = std::move(scores);
  one.tokens.assign(one.log_likelihoods.size(), 1);
  one.code_points = std::move(code_points);
  one.size = size;
  one.gold = gold;
  return one;
}

TEST(Scores, ChooseTheFirstOfEquals) {
  EXPECT_EQ(document({-2, -1, -1}, {1, 1, 1}, 1, 0).chosen(), 1);
  EXPECT_EQ(document({-2, -3, -8}, {1, 3, 8}, 1, 0).chosen(), 0);
  EXPECT_EQ(document({-2, -3, -8}, {1, 3, 8}, 1, 0).chosen_norm(), 1);
}

TEST(Scores, MedianIsTheMiddle) {
  EXPECT_DOUBLE_EQ(median({5, 1, 3}), 3);
  EXPECT_DOUBLE_EQ(median({14, 1, 13, 20}), 13.5);
  EXPECT_DOUBLE_EQ(median({}), 0);
}

TEST(Scores, AreSplitByContextSize) {
  const std::vector<ScoredDocument> documents = {
      document({-1, -2}, {1, 4}, 13, 0),  // right; wrong by size
      document({-1, -2}, {1, 4}, 14, 1),  // wrong; right by size
      document({-2, -1}, {2, 1}, 13, 1),  // right; a tie by size, which counts as wrong
      document({-1, -3}, {1, 1}, 30, 0),  // right, right
      document({-1, -3}, {1, 1}, 31, 1),  // wrong, wrong
  };
  ScoreRecord record;
  record.context_size = 13.5;
  summarise(record, documents, true);
  EXPECT_EQ(record.all.documents, 5);
  EXPECT_EQ(record.id.documents, 2);
  EXPECT_EQ(record.ood.documents, 3);
  EXPECT_DOUBLE_EQ(record.all.acc, 0.6);
  EXPECT_DOUBLE_EQ(record.id.acc, 1);
  EXPECT_DOUBLE_EQ(record.ood.acc, 1.0 / 3);
  EXPECT_DOUBLE_EQ(*record.all.acc_norm, 0.4);
  EXPECT_DOUBLE_EQ(*record.ood.acc_norm, 2.0 / 3);
  // The standard error is s / sqrt(n), with n - 1 in s^2. For a proportion p this is sqrt(p (1 - p) / (n - 1)).
  EXPECT_NEAR(*record.all.acc_stderr, std::sqrt(0.6 * 0.4 / 4), 1e-15);
  EXPECT_NEAR(*record.ood.acc_stderr, std::sqrt(2.0 / 9 / 2), 1e-15);
  EXPECT_EQ(record.id.acc_stderr, 0);
  summarise(record, documents, false);
  EXPECT_FALSE(record.all.acc_norm);
  record.context_size = 100;
  summarise(record, documents, true);
  EXPECT_EQ(record.ood.documents, 0);
}

TEST(Scores, AreWrittenAndRead) {
  const fs::path folder = fs::temp_directory_path() / ("rfs_scores_test_" + std::to_string(getpid()));
  const rfs::Run run(folder);
  ScoreRecord record;
  record.benchmark = "arc_easy";
  record.title = "ARC-Easy";
  record.context_size = 28;
  record.provenance = {{"commit", "abc"}};
  const std::vector<ScoredDocument> documents = {document({-1.25, -2}, {3, 4}, 13, 0)};
  summarise(record, documents, true);
  write_scores(run, record, documents);
  EXPECT_EQ(scored_benchmarks(run), std::vector<std::string>{"arc_easy"});
  const auto read = read_scores(run, "arc_easy");
  EXPECT_EQ(read.title, "ARC-Easy");
  EXPECT_EQ(read.id.documents, 1);
  EXPECT_EQ(read.all.acc_norm, 1);
  EXPECT_FALSE(read.all.acc_stderr) << "one document has no standard error";
  EXPECT_FALSE(read.all.acc_norm_stderr);
  EXPECT_EQ(read.provenance.at("commit"), "abc");
  EXPECT_EQ(read_file(folder / "score-arc_easy.jsonl"),
            R"({"document":0,"size":13,"in_distribution":true,"gold":0,"chosen":0,"chosen_norm":0,)"
            R"("log_likelihoods":[-1.25,-2.0],"tokens":[1,1],"code_points":[3,4],"truncated":false})"
            "\n");
  write_file(folder / "score-arc_easy.json", "{}");
  EXPECT_THROW(read_scores(run, "arc_easy"), Error);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace rfs
