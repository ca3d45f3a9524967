// The comparison of n_in policies in results/, and its figures.

#include "rfs/report/policies.h"

#include <gtest/gtest.h>

#include <cmath>

#include "rfs/core/files.h"
#include "rfs/core/format.h"

namespace rfs {
namespace {

TEST(StoredPolicies, AreWhatTheFiguresShow) {
  const std::filesystem::path folder = RFS_SOURCE "/results/generation";
  const auto record = read_policies(folder / "policies.json");
  EXPECT_EQ(read_file(folder / "agreement.dat"), panel_data(agreement_figure(record)));
  EXPECT_EQ(read_file(folder / "perplexity.dat"), panel_data(perplexity_figure(record)));
  EXPECT_EQ(read_file(folder / "speed.dat"), panel_data(speed_figure(record)));
  EXPECT_NE(read_file(folder / "table.md").find(policies_table(record)), std::string::npos);
  EXPECT_FALSE(record.provenance.at("commit").ends_with("+changes"));
  // The table in docs/generation.md has the same numbers.
  const auto text = read_file(RFS_SOURCE "/docs/generation.md");
  for (const std::string policy : {"current", "planned", "bucket", "rerotate"}) {
    double tokens = 0, agree = 0, loss = 0, seconds = 0;
    for (const auto& part : record.parts) {
      if (part.policy != policy || part.begin < record.trained_length - 1) continue;
      tokens += static_cast<double>(part.tokens);
      agree += static_cast<double>(part.agree);
      loss += part.loss * static_cast<double>(part.tokens);
      seconds += part.seconds;
    }
    const auto row = rfs::format("| `{}` | {:.3f} | {:.2f} | {:.2f} |\n", policy, agree / tokens,
                                 std::exp(loss / tokens), 1e3 * seconds / tokens);
    EXPECT_NE(text.find(row), std::string::npos) << row;
  }
}

}  // namespace
}  // namespace rfs
