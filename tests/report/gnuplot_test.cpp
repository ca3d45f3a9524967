// Drawing: figures that stay whole, names of any kind, settings of the user's own gnuplot.

#include "rfs/report/gnuplot.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/report/figure.h"
#include "rfs/report/html.h"
#include "rfs/report/panels.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;

/// A variable of the environment for the time of a test.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    const char* before = std::getenv(name);
    if (before) before_ = before;
    had_ = before != nullptr;
    setenv(name, value.c_str(), 1);
  }
  ~Variable() { had_ ? setenv(name_, before_.c_str(), 1) : unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::string before_;
  bool had_ = false;
};

class Gnuplot : public testing::Test {
 protected:
  fs::path folder = fs::temp_directory_path() / ("rfs_gnuplot_test_" + std::to_string(getpid()));
  void SetUp() override { fs::create_directories(folder); }
  void TearDown() override { fs::remove_all(folder); }

  static PanelFigure figure(const std::string& name) {
    PanelFigure figure;
    figure.title = name;
    figure.x_label = figure.y_label = name;
    figure.notes = {name};
    figure.panels = {{name, {{series_style(name, 0), {{1, 0.5, 0.4, 0.6, 10}, {2, 0.7, 0.6, 0.8, 10}}}}}};
    return figure;
  }
  std::string drawing_says(const std::string& program) {
    write_file(folder / "program", "#!/bin/sh\n" + program);
    fs::permissions(folder / "program", fs::perms::owner_all);
    const Variable gnuplot("RFS_GNUPLOT", (folder / "program").string());
    try {
      draw_panels(figure("x"), folder, "figure");
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing";
  }
};

TEST_F(Gnuplot, KnowsAWholeImage) {
  draw_panels(figure("x"), folder, "figure");
  for (const char* kind : {".svg", ".png", ".pdf"}) {
    const std::string content = read_file(folder / (std::string("figure") + kind));
    EXPECT_TRUE(whole_image(content, kind)) << kind;
    EXPECT_FALSE(whole_image("", kind)) << kind;
    for (const size_t missing : {size_t{8}, content.size() / 2, content.size() - 9}) {
      EXPECT_FALSE(whole_image(content.substr(0, content.size() - missing), kind)) << kind << " " << missing;
    }
  }
  std::string torn = read_file(folder / "figure.png");
  torn.erase(torn.size() / 2, 500);
  EXPECT_FALSE(whole_image(torn, ".png"));
}

TEST_F(Gnuplot, KeepsAFigureWhoseNewImagesAreTorn) {
  draw_panels(figure("x"), folder, "figure");
  const auto images = [&] {
    return read_file(folder / "figure.svg") + read_file(folder / "figure.png") + read_file(folder / "figure.pdf");
  };
  const std::string before = images(), copied = "cp ../figure.svg ../figure.pdf . ; ";
  const auto incomplete = [&](const char* image) {
    return (folder / image).string() + ": gnuplot wrote an incomplete image; free some disk space and draw it again " +
           "(an earlier figure is kept)";
  };
  EXPECT_EQ(drawing_says(copied + "head -c 3000 ../figure.png > figure.png"), incomplete("figure.png"));
  EXPECT_EQ(drawing_says(copied + ": > figure.png"), incomplete("figure.png"));
  EXPECT_EQ(drawing_says("true"), incomplete("figure.svg"));
  EXPECT_EQ(drawing_says("echo broken; exit 3"), (folder / "figure.gp").string() + ": gnuplot failed: broken ");
  EXPECT_EQ(images(), before);
  for (const auto& entry : fs::directory_iterator(folder)) EXPECT_FALSE(entry.is_directory()) << entry;
}

TEST_F(Gnuplot, DrawsAnyName) {
  const std::vector<std::string> names = {"'x",
                                          "a''b",
                                          "\"",
                                          "\"a\" b",
                                          "\\",
                                          "a\\nb",
                                          "x\\",
                                          "`date`",
                                          "@x",
                                          "%d %s %",
                                          "a_b^c{d}~e",
                                          "}x",
                                          "{x",
                                          "$1",
                                          "# no comment",
                                          "a & b <c>",
                                          "!ls",
                                          "[x",
                                          " blank ",
                                          "\xc3\xa9'\xe2\x82\xac",
                                          "a,b:c;d|e?f*g",
                                          "\\047"};
  PanelFigure all;
  all.columns = 4;
  for (size_t i = 0; i < names.size(); ++i) {
    all.panels.push_back({names[i], {{series_style(names[i], i), {{1, 0.5, 0.4, 0.6, 10}}}}});
  }
  ASSERT_NO_THROW(draw_panels(all, folder, "all"));
  ASSERT_NO_THROW(draw_panels(figure("'%d` \"{@x}\\"), folder, "one"));
  const auto times = [&](const std::string& file, const std::string& name) {
    std::string text;
    for (const char c : name) text += c == '&' ? "&amp;" : c == '<' ? "&lt;" : std::string(1, c);
    const std::string svg = read_file(folder / file);
    size_t count = 0;
    for (size_t at = 0; (at = svg.find(">" + text + "<", at)) != std::string::npos; ++at) ++count;
    return count;
  };
  for (const auto& name : names) EXPECT_EQ(times("all.svg", name), 2u) << name << ": panel and legend";
  EXPECT_EQ(times("one.svg", "'%d` \"{@x}\\"), 6u) << "title, panel, both axes, legend and note";
  EXPECT_NO_THROW(inline_svg(folder / "all.svg", "x"));
  EXPECT_EQ(gnuplot_tic("50 %"), "'50 %%'");
}

TEST_F(Gnuplot, KeepsNamesOnOneLine) {
  draw_panels(figure("a\n1 0.25\r2 3\t4"), folder, "figure");
  EXPECT_EQ(
      read_file(folder / "figure.dat"),
      "# a?1 0.25?2 3?4\n# a?1 0.25?2 3?4\n# One block per line: a?1 0.25?2 3?4, a?1 0.25?2 3?4, low, high, samples\n"
      "# a?1 0.25?2 3?4: a?1 0.25?2 3?4\n1 0.5 0.4 0.6 10\n2 0.7 0.6 0.8 10\n\n\n");
  EXPECT_EQ(read_file(folder / "figure.gp").find("\n1 0.25"), std::string::npos);
  draw_histograms({{"train\n9 9", {{1, 2}, {2, 3}}}}, "length\n9 9", folder);
  EXPECT_NE(read_file(folder / "histogram.dat").find("# train?9 9\n1 0.4 2\n"), std::string::npos);
}

TEST_F(Gnuplot, LeavesTheUsersSettingsAlone) {
  draw_histograms({{"train", {{1, 2}, {2, 3}}}}, "length", folder);
  const std::string before = read_file(folder / "histogram.svg");
  write_file(folder / "home/.gnuplot", "set title 'of the user'\nset logscale x\nset samples 3\n");
  write_file(folder / "home/.config/gnuplot/gnuplotrc", "set title 'of the user'\n");
  const Variable home("HOME", (folder / "home").string()), other("XDG_CONFIG_HOME", (folder / "home/.config").string()),
      terminal("GNUTERM", "dumb"), library("GNUPLOT_LIB", (folder / "home").string());
  draw_histograms({{"train", {{1, 2}, {2, 3}}}}, "length", folder);
  EXPECT_EQ(read_file(folder / "histogram.svg"), before);
}

TEST_F(Gnuplot, FiguresOfOthersStayOutOfThePage) {
  const auto says = [&](const std::string& svg) -> std::string {
    write_file(folder / "figure.svg", svg);
    try {
      inline_svg(folder / "figure.svg", "x");
    } catch (const Error& error) {
      const std::string line = error.what();
      EXPECT_TRUE(line.starts_with((folder / "figure.svg").string() + ": not a figure drawn by rfs: it has ")) << line;
      return line.substr(line.find("it has ") + 7, line.find("; remove") - line.find("it has ") - 7);
    }
    return "";
  };
  EXPECT_EQ(says("<?xml version='1.0'?>\n<!-- a --><svg width='1'>\n<g id='a'><!-- <script> --><path d=\"M1 "
                 "2\"/></g></svg>\n"),
            "");
  EXPECT_EQ(inline_svg(folder / "figure.svg", "x"),
            "<div class=figure><svg width='1'>\n<g id='x-a'><path d=\"M1 2\"/></g></svg>\n</div>");
  EXPECT_EQ(says("<svg><script>alert(1)</script></svg>"), "<script>");
  EXPECT_EQ(says("<svg><SCRIPT>alert(1)</SCRIPT></svg>"), "<SCRIPT>");
  EXPECT_EQ(says("<svg onload='alert(1)'></svg>"), "onload in <svg>");
  EXPECT_EQ(says("<svg><g OnClick=\"alert(1)\"/></svg>"), "OnClick in <g>");
  EXPECT_EQ(says("<svg><a href='x'>y</a></svg>"), "<a>");
  EXPECT_EQ(says("<svg><use xlink:href='http://x/y#z'/></svg>"), "xlink:href in <use>");
  EXPECT_EQ(says("<svg><use xlink:href='#z'/></svg>"), "");
  EXPECT_EQ(says("<svg><rect fill='url(http://x)'/></svg>"), "fill in <rect>");
  EXPECT_EQ(says("<svg><rect fill='url(#p)'/></svg>"), "");
  EXPECT_EQ(says("<svg><rect style='fill:red'/></svg>"), "style in <rect>");
  EXPECT_EQ(says("<svg><title><g id='</title><script>'/></title></svg>"), "id in <g>");
  EXPECT_EQ(says("<svg><rect x=1/></svg>"), "a broken <rect>");
  EXPECT_EQ(says("<svg><rect x='1'"), "a broken <rect>");
  EXPECT_EQ(says("<svg><foreignObject/></svg>"), "<foreignObject>");
  EXPECT_EQ(says("<svg><![CDATA[x]]></svg>"), "an unknown tag");
  EXPECT_EQ(says("<svg><!-- x"), "a broken comment");
  EXPECT_EQ(says("no image"), "no <svg>");
}

}  // namespace
}  // namespace rfs
