// The public headers: those that rfs/rfs.h lists, and the few others that they need.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "rfs/core/files.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;
const fs::path source = RFS_SOURCE;

/// The headers of the project that a file includes.
std::set<std::string> included(const fs::path& file) {
  const std::regex include("#include \"(rfs/[^\"]+)\"");
  const std::string text = read_file(source / file);
  std::set<std::string> names;
  for (std::sregex_iterator it(text.begin(), text.end(), include), end; it != end; ++it) names.insert((*it)[1]);
  return names;
}

/// These are installed, because public headers include them, but they are not part of the interface. A new one belongs
/// here, or in rfs/rfs.h if users need it. Often a forward declaration avoids both.
const std::set<std::string> not_public = {
    "rfs/core/limits.h",         "rfs/core/options_inline.h",  "rfs/device/device_ops.h",
    "rfs/model/block_weights.h", "rfs/model/decoding_cache.h", "rfs/model/device_batch.h",
    "rfs/ops/attention.h",       "rfs/ops/backend.h",          "rfs/ops/device_rows.h",
    "rfs/ops/dropout.h",         "rfs/ops/feed_forward.h",     "rfs/ops/qkv_layout.h",
    "rfs/ops/rotary.h"};

TEST(PublicHeaders, NeedOnlyThese) {
  const auto listed = included("rfs/rfs.h");
  EXPECT_GT(listed.size(), 40u);
  std::set<std::string> others, open = listed;
  while (!open.empty()) {
    const std::string header = open.extract(open.begin()).value();
    if (!listed.contains(header) && !others.insert(header).second) continue;
    for (const auto& next : included(header)) {
      if (!listed.contains(next)) open.insert(next);
    }
  }
  EXPECT_EQ(others, not_public);
}

TEST(PublicHeaders, AreAllThatExamplesUse) {
  for (const auto& entry : fs::directory_iterator(source / "examples")) {
    if (entry.path().extension() != ".cpp") continue;
    const std::string text = read_file(entry.path());
    EXPECT_NE(text.find("#include <rfs/rfs.h>"), std::string::npos) << entry.path();
    EXPECT_FALSE(std::regex_search(text, std::regex("#include [<\"]rfs/(?!rfs[.]h)"))) << entry.path();
  }
}

/// A file's lines without indentation.
std::string flattened(const fs::path& file) {
  std::ifstream in(file);
  std::string text;
  for (std::string line; std::getline(in, line);)
    text += line.substr(std::min(line.find_first_not_of(' '), line.size())) + "\n";
  return text;
}

/// The install test builds and runs examples/, so code that is shown in the guide works.
TEST(CppGuide, ShowsCodeOfTheExamples) {
  std::vector<std::string> examples;
  for (const auto& entry : fs::directory_iterator(source / "examples")) examples.push_back(flattened(entry.path()));
  std::istringstream page(flattened(source / "docs/cpp.md"));
  std::string block;
  bool inside = false;
  int blocks = 0;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("```")) {
      if (inside) block += line + "\n";
      continue;
    }
    if (inside) {
      ++blocks;
      EXPECT_TRUE(std::any_of(examples.begin(), examples.end(),
                              [&](const std::string& text) { return text.find(block) != std::string::npos; }))
          << "not in a file of examples/:\n"
          << block;
    }
    inside = line == "```cpp" || line == "```cmake";
    block.clear();
  }
  EXPECT_GE(blocks, 5);
}

}  // namespace
}  // namespace rfs
