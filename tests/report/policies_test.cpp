// The comparison of policies in results/, and its figures.

#include "rfs/report/policies.h"

#include <gtest/gtest.h>

#include "rfs/core/files.h"

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
  // As docs/generation.md says it.
  const auto text = read_file(RFS_SOURCE "/docs/generation.md");
  EXPECT_NE(text.find(policies_table(record)), std::string::npos);
}

}  // namespace
}  // namespace rfs
