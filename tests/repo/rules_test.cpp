// Rules of the project: which folder may include which, one file per method, what code in rfs/ must not do.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>

#include "rfs/benchmarks/benchmark.h"
#include "rfs/core/files.h"
#include "rfs/positions/indexing.h"
#include "rfs/tasks/task.h"
#include "rfs/text/tokenizer.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;
const fs::path source = RFS_SOURCE;

std::vector<fs::path> sources(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(source / folder)) {
    static const std::set<std::string> kinds = {".h", ".cpp", ".cuh", ".cu"};
    if (kinds.contains(entry.path().extension())) files.push_back(entry.path());
  }
  return files;
}

/// The table in docs/design.md: which folders each folder may include, apart from itself.
std::map<std::string, std::set<std::string>> read_table() {
  std::map<std::string, std::set<std::string>> table;
  std::ifstream in(source / "docs/design.md");
  const std::regex row(R"(\| ([a-z]+) \|[^|]+\| ?([a-z, ]*)\|)"), name("[a-z]+");
  bool begun = false;
  for (std::string line; std::getline(in, line);) {
    std::smatch match;
    if (line == "## Layers") begun = true;
    if (!begun || !std::regex_match(line, match, row) || match[1] == "folder") continue;
    const std::string folders = match[2];
    auto& allowed = table[match[1]];
    for (std::sregex_iterator it(folders.begin(), folders.end(), name), end; it != end; ++it) allowed.insert(it->str());
  }
  return table;
}
const auto may_include = read_table();
const std::set<std::string> without_torch = {"arithmetic", "core",       "records", "text",     "corpus",
                                             "tasks",      "benchmarks", "report",  "positions"};

TEST(Layers, IncludeOnlyWhatTheTableAllows) {
  const std::regex include("#include [<\"]([a-z_]+)/([a-z_]+)?");
  for (const auto& folder : fs::directory_iterator(source / "rfs")) {
    if (folder.path().filename() == "rfs.h") continue;  // includes the public headers of all folders
    const auto name = folder.path().filename().string();
    ASSERT_TRUE(may_include.contains(name)) << "a folder that the table does not know: " << name;
    for (const auto& file : sources(fs::path("rfs") / name)) {
      std::ifstream in(file);
      for (std::string line; std::getline(in, line);) {
        std::smatch match;
        if (!std::regex_search(line, match, include)) continue;
        if (match[1] == "rfs") {
          const std::string other = match[2];
          EXPECT_TRUE(other == name || may_include.at(name).contains(other)) << file << ": " << line;
        }
        if (without_torch.contains(name)) {
          EXPECT_TRUE(match[1] != "torch" && match[1] != "ATen" && match[1] != "c10") << file << ": " << line;
        }
        if (file.extension() == ".cu" || file.extension() == ".cuh") {
          EXPECT_TRUE(match[1] == "cub" || (match[1] == "rfs" && (match[2] == "ops" || match[2] == "arithmetic")))
              << file << ": kernels take raw pointers alone: " << line;
        }
        EXPECT_EQ(line.find("torch/torch.h"), std::string::npos) << file << ": use torch/types.h";
      }
    }
  }
}

/// The files of a folder that have no header. Each of them is one implementation.
std::vector<std::string> implementations(const fs::path& folder) {
  std::vector<std::string> stems;
  for (const auto& file : sources(folder)) {
    if (file.extension() != ".cpp" || fs::exists(fs::path(file).replace_extension(".h"))) continue;
    const std::string name = folder.filename() / file.stem();
    if (std::string(RFS_OFF).find(name) == std::string::npos)
      stems.push_back(file.stem());  // not built: a library is missing
  }
  std::sort(stems.begin(), stems.end());
  return stems;
}

TEST(Families, RegisterEachFileUnderItsStem) {
  EXPECT_EQ(implementations("rfs/positions"), Registry<PositionIndexing>::names());
  auto tasks = Registry<Task>::names();
  std::erase(tasks, "own_task_test");  // defined in a test
  EXPECT_EQ(implementations("rfs/tasks"), tasks);
  EXPECT_EQ(implementations("rfs/benchmarks"), Registry<Benchmark>::names());
  EXPECT_EQ(implementations("rfs/text"), Registry<Tokenizer>::names());
}

TEST(Library, NeitherPrintsNorExits) {
  const std::regex forbidden(R"(\b(std::cout|std::cerr|printf|fmt::print|exit|abort)\b)");
  for (const auto& file : sources("rfs")) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
      line = line.substr(0, line.find("//"));
      EXPECT_FALSE(std::regex_search(line, forbidden)) << file << ": " << line;
    }
  }
}

/// The program parses, shows progress and prints; the library does the work.
TEST(Program, HasSmallFilesWithoutLibTorch) {
  const std::regex torch("#include [<\"](torch|ATen|c10)/");
  for (const auto& file : sources("cli")) {
    std::ifstream in(file);
    int lines = 0;
    for (std::string line; std::getline(in, line); ++lines) {
      EXPECT_FALSE(std::regex_search(line, torch)) << file << ": " << line;
    }
    EXPECT_LE(lines, 150) << file;
  }
}

/// If two types have the same name, the linker keeps the functions of one and uses them for both.
TEST(Headers, GiveEachTypeANameOfItsOwn) {
  const std::regex definition(R"(^(?:struct|class) (\w+)[^;]*$)");
  std::map<std::string, std::filesystem::path> seen;
  for (const char* folder : {"rfs", "cli"}) {
    for (const auto& file : sources(folder)) {
      if (file.extension() != ".h" && file.extension() != ".cuh") continue;
      std::ifstream in(file);
      for (std::string line; std::getline(in, line);) {
        std::smatch match;
        if (!std::regex_match(line, match, definition)) continue;
        const auto [first, fresh] = seen.emplace(match[1], file);
        EXPECT_TRUE(fresh) << match[1] << ": " << first->second << " and " << file;
      }
    }
  }
  EXPECT_GT(seen.size(), 50u);
}

TEST(Sources, AreOfReadableSize) {
  for (const char* folder : {"rfs", "cli", "tests", "benchmarks", "examples"}) {
    for (const auto& file : sources(folder)) {
      std::ifstream in(file);
      int lines = 0;
      for (std::string line; std::getline(in, line); ++lines) {
        // Strings that clang-format cannot break may be longer.
        EXPECT_TRUE(line.size() <= 120 || line.find('"') != std::string::npos) << file << ": " << line;
      }
      EXPECT_LE(lines, file.extension() == ".h" ? 130 : 400) << file;
    }
  }
}

}  // namespace
}  // namespace rfs
