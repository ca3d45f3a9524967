// The files in experiments/ and the records in results/ must agree with the tasks and with each other.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <regex>
#include <set>

#include "../data.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/core/split.h"
#include "rfs/report/depth_map.h"
#include "rfs/report/perplexity.h"
#include "rfs/report/plan.h"
#include "rfs/report/result.h"
#include "rfs/report/scores.h"
#include "rfs/report/table.h"
#include "rfs/tasks/examples.h"
#include "rfs/tasks/task.h"
#include "rfs/text/tokenizer.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;
const fs::path experiments = fs::path(RFS_SOURCE) / "experiments", results = fs::path(RFS_SOURCE) / "results";

TEST(Experiments, AreWholeForEveryPreset) {
  const auto names = plan_names(experiments);
  EXPECT_EQ(names, (std::vector<std::string>{"ablation", "alibi", "arena", "copy", "errors", "indexing", "ranges",
                                             "readings", "singular", "tasks"}));
  for (const auto& name : names) {
    const auto presets = name == "arena" ? std::vector<const char*>{"mini", "small", "paper"}
                                         : std::vector<const char*>{"paper", "tiny"};
    for (const char* preset : presets) {
      const Plan plan = read_plan(experiments, name, preset, 0);
      EXPECT_FALSE(plan.title.empty());
      for (const auto& number : plan.published) {
        EXPECT_TRUE(number.value >= 0 && number.value <= 1) << name << ": " << number.method;
      }
      for (const auto& method : plan.method_names()) {
        EXPECT_NE(method_style(method, 0).label, method) << "a method without its own style";
      }
    }
  }
}

TEST(Experiments, OfAsentmaxTestTheAuthorsLengths) {
  std::set<std::string> names;
  for (const auto& file : fs::directory_iterator(experiments / "asentmax")) {
    names.insert(file.path().stem());
    auto settings = Settings::from_file(file.path());
    const auto choice = Choice<Task>::read(settings.find("task"), "");
    choice.options->set("task", "test_samples", {int64_t{1}, "test"});
    choice.options->set("task", "train_samples", {int64_t{100}, "test"});
    const auto task = choice.make();
    const auto tokenizer = Choice<Tokenizer>::read(settings.find("tokenizer"), "").make();
    tokenizer->learn(task->vocabulary());
    std::vector<int64_t> tested;
    for (const auto& sample : task->samples(Split::test, *tokenizer)) tested.push_back(sample.length);
    EXPECT_EQ(tested, (std::vector<int64_t>{128, 256, 512, 1024, 2048, 4096})) << file.path();
    for (const auto& sample : task->samples(Split::train, *tokenizer)) {
      EXPECT_TRUE(sample.length >= 32 && sample.length <= 64) << file.path();
    }
  }
  EXPECT_EQ(names, (std::set<std::string>{"copy", "copy_nape", "copy_nape_ssmax", "copy_ssmax", "mqmtar", "reverse",
                                          "reverse_nape", "reverse_nape_ssmax", "reverse_ssmax", "sort"}));
}

TEST(Experiments, OfLongContextsMakeTheirSamples) {
  for (const auto& file : fs::directory_iterator(experiments / "long")) {
    const auto settings = Settings::from_file(file.path());
    const auto task = Choice<Task>::read(settings.find("task"), "").make();
    const auto tokenizer = Choice<Tokenizer>::read(settings.find("tokenizer"), "").make();
    tokenizer->learn(task->vocabulary());
    EXPECT_FALSE(task->samples(Split::test, *tokenizer).empty()) << file.path();
  }
}

TEST(Experiments, HaveThePapersLines) {
  const auto plan = [](const char* name) { return read_plan(experiments, name, "paper", 0); };
  // Thirteen curves for copy: five in `copy`, six more in `indexing`, two more in `alibi`. In all, eleven methods need
  // nine training runs.
  const auto copy = plan("copy"), indexing = plan("indexing"), alibi = plan("alibi");
  EXPECT_EQ(copy.method_names().size() + indexing.method_names().size() + 2, 13u);
  std::set<std::string> methods, trainings;
  for (const auto& one : {copy, indexing, alibi}) {
    for (const auto& name : one.method_names()) methods.insert(name);
    for (const auto& name : one.training_names()) trainings.insert(name);
  }
  EXPECT_EQ(methods.size(), 11u);
  EXPECT_EQ(trainings.size(), 9u);
  EXPECT_EQ(plan("ablation").method_names().size(), 7u);
  EXPECT_EQ(plan("ablation").training_names().size(), 5u);
  EXPECT_EQ(plan("readings").training_names().size(), 4u);
  EXPECT_EQ(plan("tasks").tasks.size(), 6u);
  EXPECT_EQ(copy.run_folder("copy", "rope-rfs", 1), plan("ablation").run_folder("copy", "rope-rfs", 1));
  EXPECT_EQ(copy.folder(), "copy");
  EXPECT_EQ(read_plan(experiments, "copy", "tiny", 30).folder(), "copy-tiny-30");
}

TEST(Experiments, TrainEachMethodOnce) {
  const Plan plan = read_plan(experiments, "copy", "paper", 0);
  std::set<std::vector<std::string>> seen;
  for (const auto& training : plan.trainings) EXPECT_TRUE(seen.insert(training.assignments).second) << training.name;
  std::set<std::string> files;
  for (const auto& method : plan.methods) EXPECT_TRUE(files.insert(method.training + "/" + method.record).second);
}

TEST(Experiments, KnowTheirTasksTokens) {
  RFS_NEEDS_DATA();
  for (const char* name : {"paper", "tiny", "mini", "small"}) {
    const Preset preset = read_plan(experiments, "singular", name, 0).preset;
    for (const auto& [task_name, assignments] : preset.tasks) {
      Settings settings = preset.settings;
      settings.assign("task.use=" + task_name);
      for (const auto& one : assignments) settings.assign(one);
      const auto task = Choice<Task>::read(settings.find("task"), "copy").make();
      const auto tokenizer = Choice<Tokenizer>::read(settings.find("tokenizer"), "words").make();
      tokenizer->learn(task->vocabulary());
      const auto test = tokenize(task->samples(Split::test, *tokenizer), *tokenizer);
      const auto train = tokenize(task->samples(Split::train, *tokenizer), *tokenizer);
      EXPECT_EQ(test.longest(), preset.values.at("longest").at(task_name)) << name << " " << task_name;
      EXPECT_EQ(train.longest(), preset.values.at("trained").at(task_name)) << name << " " << task_name;
      const auto some = tokenize(task->samples(Split::validation, *tokenizer), *tokenizer);
      double tokens = 0;
      for (int64_t i = 0; i < some.size(); ++i) tokens += static_cast<double>(some.row(i).size());
      EXPECT_NEAR(tokens / static_cast<double>(some.size()), preset.tokens.at(task_name), 0.6)
          << name << " " << task_name;
    }
  }
}

TEST(Results, FiguresAndTablesAreWhatTheirRecordsGive) {
  int folders = 0;
  for (const auto& entry : fs::directory_iterator(results)) {
    const fs::path file = entry.path() / "experiment.toml";
    if (!fs::exists(file)) continue;
    const Plan plan = drawn_plan(experiments, file);
    EXPECT_EQ(plan.folder(), entry.path().filename());
    if (plan.kind == "singular") continue;  // plain arithmetic, covered by another test
    ++folders;
    const auto files = result_files(plan, results);
    EXPECT_FALSE(files.empty()) << file << ": no records";
    for (const auto& [name, content] : files) {
      EXPECT_EQ(read_file(entry.path() / name), content)
          << entry.path() / name << " differs from its records; draw it again: rfs reproduce " << plan.name
          << " --preset " << plan.preset.name << " --steps " << plan.steps << " --draw --out results";
    }
  }
  EXPECT_GE(folders, 1);
}

// History keeps every version of an image, so only images that a page shows are tracked; the others are drawn when
// needed.
TEST(Results, TrackTheImagesThatPagesShowAndNoOthers) {
  const auto is_image = [](const std::string& path) {
    const auto kind = fs::path(path).extension();
    return kind == ".png" || kind == ".svg" || kind == ".pdf" || kind == ".jpg" || kind == ".gif";
  };
  std::set<std::string> shown, tracked;
  std::vector<fs::path> pages = {"README.md", "CONTRIBUTING.md"};
  for (const auto& entry : fs::directory_iterator(RFS_SOURCE "/docs"))
    pages.push_back(fs::path("docs") / entry.path().filename());
  for (const auto& page : pages) {
    if (page.extension() != ".md") continue;
    const auto text = read_file(fs::path(RFS_SOURCE) / page);
    static const std::regex link(R"re((?:\]\(|src=")([^)"\s]+))re");
    for (std::sregex_iterator it(text.begin(), text.end(), link), end; it != end; ++it) {
      const std::string target = (*it)[1];
      if (!target.starts_with("http") && is_image(target)) {
        shown.insert((page.parent_path() / target).lexically_normal().generic_string());
      }
    }
  }
  EXPECT_GE(shown.size(), 10u);
  std::FILE* git = popen("git -C '" RFS_SOURCE "' ls-files 2>/dev/null", "r");
  ASSERT_NE(git, nullptr);
  std::string files;
  for (int c = std::fgetc(git); c != EOF; c = std::fgetc(git)) files += static_cast<char>(c);
  if (pclose(git) != 0) GTEST_SKIP() << "NOT TESTED: this source tree is not a clone, so git cannot name its files";
  for (const auto file : split_lines(files)) {
    if (is_image(std::string(file))) tracked.emplace(file);
  }
  for (const auto& image : shown) {
    EXPECT_TRUE(tracked.contains(image)) << image << ": a page shows it; track it: git add -f " << image;
  }
  for (const auto& image : tracked) {
    EXPECT_TRUE(shown.contains(image)) << image << ": no page shows it; remove it: git rm --cached " << image;
  }
}

TEST(Results, AreThoseThatTheDocumentationNames) {
  const auto text = read_file(RFS_SOURCE "/docs/results.md");
  const std::tuple<std::string, std::string, std::string> rows[] = {
      {"RoPE, RFS", "rope-rfs", ""},
      {"Sinusoidal, RFS", "sinusoidal-rfs", ""},
      {"NoPE", "none", ""},
      {"RoPE, simple extension", "rope-simple", ""},
      {"Sinusoidal, simple extension", "sinusoidal-simple", ""},
      {"RoPE, interpolation", "rope-simple", "interpolation"},
      {"Sinusoidal, interpolation", "sinusoidal-simple", "interpolation"},
      {"RoPE, random integers", "rope-integers", ""},
      {"Sinusoidal, random integers", "sinusoidal-integers", ""},
      {"ALiBi, simple extension", "alibi-simple", ""},
      {"ALiBi, RFS", "alibi-rfs", ""},
      {"N(0.5, 0.2)", "rope-normal", ""},
      {"B(0.5, 0.5)", "rope-beta", ""},
      {"N(0.5, 0.2), cdf", "rope-normal", "cdf"},
      {"B(0.5, 0.5), cdf", "rope-beta", "cdf"},
      {"L = 10", "rope-rfs-10", ""},
      {"L = 100,000", "rope-rfs-100000", ""}};
  const auto mean = [](const std::string& method, const std::string& evaluation) {
    const auto seeds = find_runs(results / "runs" / "paper-40000" / "copy" / method);
    return share_text(make_series(method, seeds, evaluation).mean(21, 40).mean, 3);
  };
  for (const auto& [label, method, evaluation] : rows) {
    const auto row = rfs::format("| {} | {} |", label, mean(method, evaluation));
    EXPECT_NE(text.find(row), std::string::npos) << row;
  }
  const std::pair<std::string, std::string> readings[] = {
      {"RoPE, drawn over the sequence", "rope-rfs"},
      {"RoPE, drawn over the window", "rope-rfs-window"},
      {"Sinusoidal, drawn over the sequence", "sinusoidal-rfs"},
      {"Sinusoidal, drawn over the window", "sinusoidal-rfs-window"}};
  for (const auto& [label, method] : readings) {
    const auto row = rfs::format("| {} | {} | {} |", label, mean(method, ""), mean(method, "current"));
    EXPECT_NE(text.find(row), std::string::npos) << row;
  }
  const auto readme = read_file(RFS_SOURCE "/README.md");
  for (const char* method : {"rope-rfs", "rope-simple", "none"}) {
    EXPECT_NE(readme.find(mean(method, "")), std::string::npos) << "README.md: " << method;
  }
}

TEST(Results, OfTheSixTasksAreThoseThatTheDocumentationNames) {
  const auto text = read_file(RFS_SOURCE "/docs/results.md");
  const Plan plan = read_plan(experiments, "tasks", "paper", 20000);
  for (const auto& task : plan.tasks) {
    std::string row = rfs::format("| {} |", task);
    for (const auto& method : {"sinusoidal-simple", "sinusoidal-rfs", "rope-simple", "rope-rfs", "none"}) {
      const rfs::Run run(results / plan.run_folder(task, method, 256788));
      const bool done = fs::exists(run.folder() / "eval.json");
      row += done ? rfs::format(" {} |", share_text(make_series(method, {run}, "").mean(false).mean, 3)) : " |";
    }
    EXPECT_NE(text.find(row + "\n"), std::string::npos) << row;
  }
}

TEST(Results, OfLanguageModelsAreWhatTheirRecordsGive) {
  const fs::path folder = results / "language", runs = folder / "runs";
  const auto series = read_series({runs});
  EXPECT_EQ(read_file(folder / "perplexity.dat"), panel_data(perplexity_figure(series)));
  EXPECT_EQ(read_file(folder / "table.md"), perplexity_file(series));
  const auto scores = read_file(folder / "scores" / "scores.md"), text = read_file(RFS_SOURCE "/docs/language.md");
  for (const bool normalised : {false, true}) {
    EXPECT_NE(scores.find(score_markdown(read_score_table({runs}, normalised))), std::string::npos);
  }
  EXPECT_NE(text.find(perplexity_table(series)), std::string::npos) << "docs/language.md";
  EXPECT_NE(text.find(score_markdown(read_score_table({runs}, false))), std::string::npos) << "docs/language.md";
}

TEST(Results, OfLongContextsAreWhatTheirRecordsGive) {
  const fs::path folder = results / "long";
  EXPECT_EQ(read_file(folder / "depth.dat"), heat_map_data(depth_map(read_series({folder / "runs"}))));
}

TEST(Results, OfModelsOnBytesAreWhatTheirRecordsGive) {
  for (const char* name : {"extending-bytes", "language-bytes"}) {
    const fs::path folder = results / name;
    const auto series = read_series({folder / "runs"});
    EXPECT_EQ(read_file(folder / "perplexity.dat"), panel_data(perplexity_figure(series))) << name;
    EXPECT_EQ(read_file(folder / "table.md"), perplexity_file(series)) << name;
  }
}

TEST(Results, SayWhereTheyComeFrom) {
  auto all = find_runs(results / "runs");
  for (const char* name : {"coupling", "extending", "extending-bytes", "extending-needle", "language", "language-bytes",
                           "language-patterns", "language-windows", "long"}) {
    for (const rfs::Run& run : find_runs(results / name / "runs")) all.push_back(run);
  }
  for (const rfs::Run& run : all) {
    const auto record = run.train_record();
    for (const char* key : {"commit", "machine", "device", "date", "command", "libtorch"}) {
      EXPECT_TRUE(record.provenance.contains(key)) << run.folder() << ": " << key;
    }
    EXPECT_EQ(record.provenance.at("commit").find("changes"), std::string::npos)
        << run.folder() << ": made from a tree that is no commit";
  }
  for (const auto& entry : fs::recursive_directory_iterator(results)) {
    if (entry.path().extension() == ".json" || entry.path().extension() == ".toml") {
      const auto text = read_file(entry.path());
      for (const char* place : {"/work/", "/root/", "/home/", "/dev/shm/", "/tmp/"}) {
        EXPECT_EQ(text.find(place), std::string::npos) << entry.path() << ": names a folder of some machine";
      }
    }
    EXPECT_NE(entry.path().extension(), ".safetensors") << entry.path() << ": weights do not belong here";
  }
}

}  // namespace
}  // namespace rfs
