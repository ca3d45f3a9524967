// `rfs show` on every file below experiments/: settings as TOML, or what else the file is for.

#include <gtest/gtest.h>

#include <filesystem>

#include "program.h"
#include "rfs/core/settings.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;
const fs::path experiments = fs::path(RFS_SOURCE) / "experiments";

TEST(Show, EveryFileOfExperiments) {
  const Scratch scratch;
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(experiments)) {
    if (entry.path().extension() != ".toml") continue;
    ++files;
    const auto outcome = run_program("show " + entry.path().string(), scratch.path());
    EXPECT_EQ(outcome.code, 0) << entry.path() << ": " << outcome.error;
    EXPECT_NO_THROW(Settings::from_text(outcome.output, "output")) << entry.path() << "\n" << outcome.output;
  }
  EXPECT_GE(files, 14);
}

TEST(Show, SaysWhatAFileIsFor) {
  const Scratch scratch;
  const auto shown = [&](const std::string& name, const std::string& more = "") {
    const auto outcome = run_program("show " + (experiments / name).string() + more, scratch.path());
    EXPECT_EQ(outcome.code, 0) << outcome.error;
    return outcome.output;
  };
  const auto preset = shown("presets/paper.toml", " --set train.steps=5000");
  EXPECT_TRUE(preset.starts_with("# The preset `rfs reproduce NAME --preset paper`: ")) << preset;
  for (const char* part : {"# A sweep of 3 runs: 256788", "preset = \"t5-base\"", "steps = 5000 ",
                           "[tasks]\ncopy = []\n", "[measured]\nmachine = \"one H200\"\n"}) {
    EXPECT_NE(preset.find(part), std::string::npos) << part << "\n" << preset;
  }
  const auto experiment = shown("copy.toml");
  for (const char* part : {"# An experiment of `rfs reproduce`", "# `rfs reproduce copy --dry-run` lists its runs",
                           "kind = \"lengths\"", "rows = [\n  [\"copy\", \"rope-rfs\", 21, 40, 0.837, "}) {
    EXPECT_NE(experiment.find(part), std::string::npos) << part << "\n" << experiment;
  }
  const auto methods = shown("methods.toml");
  EXPECT_TRUE(methods.starts_with("# The methods that experiments of `rfs reproduce` use.")) << methods;
  EXPECT_NE(methods.find("\nrope-rfs = [\"encoding.use=rope\", \"positions.use=random_float\"]\n"), std::string::npos);
}

}  // namespace
}  // namespace rfs
