// `rfs docs`: the pages in docs/ are what the program prints, and completion is a script that the shell accepts.

#include <gtest/gtest.h>

#include "program.h"
#include "rfs/core/files.h"

namespace rfs {
namespace {

TEST(Docs, ReferencePagesAreWhatTheProgramPrints) {
  const Scratch scratch;
  const auto commands = run_program("docs commands", scratch.path());
  EXPECT_EQ(commands.output, read_file(RFS_SOURCE "/docs/commands.md")) << "rfs docs commands > docs/commands.md";
  const auto outcome = run_program("list tokenizer", scratch.path());
  if (outcome.output.find("gpt2") == std::string::npos || outcome.output.find("t5") == std::string::npos) {
    GTEST_SKIP() << "NOT TESTED: this build has not all tokenizers";
  }
  const auto settings = run_program("docs settings", scratch.path());
  EXPECT_EQ(settings.output, read_file(RFS_SOURCE "/docs/settings.md")) << "rfs docs settings > docs/settings.md";
}

TEST(Docs, CompletionCompletesVerbsAndOptions) {
  const Scratch scratch;
  scratch.write("rfs.bash", run_program("docs bash", scratch.path()).output);
  const auto complete = [&](const std::string& words, int number) {
    const std::string script = "bash -c '. ./rfs.bash; COMP_WORDS=(" + words +
                               "); COMP_CWORD=" + std::to_string(number) +
                               "; _rfs; echo \"${COMPREPLY[@]}\" > completed'";
    run_program("--version", scratch.path(), script + ";");
    return scratch.read("completed");
  };
  EXPECT_EQ(complete("rfs tr", 1), "train\n");
  EXPECT_EQ(complete("rfs data st", 2), "stats\n");
  EXPECT_EQ(complete("rfs data import --tr", 3), "--train-up-to\n");
  EXPECT_EQ(complete("rfs train a.toml --to", 3), "--together\n");
  EXPECT_NE(run_program("docs man", scratch.path()).output.find(".TH RFS 1"), std::string::npos);
  EXPECT_NE(run_program("docs fish", scratch.path()).output.find("complete -c rfs"), std::string::npos);
  EXPECT_EQ(run_program("docs nothing", scratch.path()).code, 2);
}

}  // namespace
}  // namespace rfs
