#include "rfs/report/report.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/report/chart.h"
#include "rfs/report/figure.h"
#include "rfs/report/html.h"
#include "rfs/report/mistakes.h"
#include "rfs/report/table.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;

class Reports : public testing::Test {
 protected:
  fs::path folder = fs::temp_directory_path() / ("rfs_report_test_" + std::to_string(getpid()));

  void SetUp() override {
    add("rfs1", "random_float", 1, 8);
    add("rfs2", "random_float", 2, 6);
    add("seq1", "sequential", 1, 0);
  }
  void TearDown() override { fs::remove_all(folder); }

  void add(const std::string& name, const std::string& use, int seed, int64_t correct) {
    const rfs::Run run(folder / "runs" / name);
    const std::string settings = "[positions]\nuse = \"" + use + "\"\n" +
                                 (use == "sequential" ? "" : "range = 1000.0\n") +
                                 "[task]\nuse = \"copy\"\n[train]\nseed = " + std::to_string(seed) + "\n";
    write_file(run.file("settings.toml"), settings);
    run.write(TrainRecord{10, 100, 23, 1000, 2.0, 0.5, 10, {}, 0, {{"commit", "abc"}}});
    EvalRecord eval;
    eval.settings = settings;
    eval.lengths = {{2, 10, 10, true}, {3, 9, 10, true}, {4, correct, 10, false}, {5, correct, 10, false}};
    eval.answers = {{4, "Copy: a b <c> d [SEP]", "a b <c> d", "a b x d", false}};
    eval.strips = {{"training, 5 tokens", {1.f, 2.f, 500.f}}};
    run.write(eval);
    for (int64_t step = 10; step <= 30; step += 10) run.add({step, 3.0 / static_cast<double>(step), 1e-3, 1, 1000});
  }
};

TEST_F(Reports, GroupSeedsAndNameWhatDiffers) {
  const auto series = read_series({folder / "runs"});
  ASSERT_EQ(series.size(), 2u);
  EXPECT_EQ(series[0].name, "random_float");
  EXPECT_EQ(series[1].name, "sequential");
  EXPECT_EQ(series[0].runs.size(), 2u);
  EXPECT_DOUBLE_EQ(series[0].mean(false).mean, 0.7);
  EXPECT_DOUBLE_EQ(series[0].mean(false).low, 0.6);
  EXPECT_DOUBLE_EQ(series[0].lengths[2].share, 0.7);
  EXPECT_EQ(series[0].lengths[2].samples, 20);
  EXPECT_DOUBLE_EQ(series[0].lengths[2].high, 0.8);
  EXPECT_EQ(share_text(series[0].mean(false)), ".70 (.60-.80)");
  EXPECT_EQ(share_text(series[1].mean(true)), ".95");
  EXPECT_EQ(share_text(1.0), "1.00");
  const auto table = summary_table(series);
  EXPECT_NE(table.find("| random_float |"), std::string::npos);
  EXPECT_NE(table.find("untrained lengths (4-5)"), std::string::npos);
}

TEST_F(Reports, CountACopyOnce) {
  fs::copy(folder / "runs" / "rfs1", folder / "runs" / "copy", fs::copy_options::recursive);
  const auto series = read_series({folder / "runs"});
  ASSERT_EQ(series.size(), 2u);
  EXPECT_EQ(series[0].runs.size(), 2u);
}

TEST_F(Reports, KeepAFigureThatCannotBeDrawnAgain) {
  write_report(read_series({folder / "runs"}), folder / "report");
  write_file(folder / "gnuplot", "#!/bin/sh\necho half > accuracy.png\nexit 1\n");
  fs::permissions(folder / "gnuplot", fs::perms::owner_all);
  setenv("RFS_GNUPLOT", (folder / "gnuplot").c_str(), 1);
  EXPECT_THROW(write_report(read_series({folder / "runs"}), folder / "report"), Error);
  unsetenv("RFS_GNUPLOT");
  EXPECT_EQ(read_file(folder / "report" / "accuracy.png").substr(1, 3), "PNG");
  for (const auto& entry : fs::directory_iterator(folder / "report")) EXPECT_FALSE(entry.is_directory()) << entry;
}

TEST_F(Reports, TakeFoldersOfAnyName) {
  fs::remove_all(folder / "runs");
  add("'x\n4 0.5 \"<b>&|\\", "random_float", 1, 5);
  write_report(read_series({folder / "runs"}), folder / "report");
  const auto data = read_file(folder / "report" / "accuracy.dat");
  EXPECT_NE(data.find("\n# : 'x?4 0.5 \"<b>&|\\\n2 "), std::string::npos) << data;
  const auto table = read_file(folder / "report" / "table.md");
  EXPECT_NE(table.find("| 'x?4 0.5 \"&lt;b>&amp;\\|\\ |"), std::string::npos) << table;
  EXPECT_NE(read_file(folder / "report" / "index.html").find("'x?4 0.5 &quot;&lt;b&gt;&amp;|\\<"), std::string::npos);
  for (const char* text : {"a|b", "<script>", "&lt;", "a & b", "\\"}) {
    const auto line = aligned({{text}});
    EXPECT_EQ(cell_text(line.substr(2, line.find(" |\n") - 2)), text);
  }
}

TEST_F(Reports, NameSeriesApart) {
  const auto add_range = [&](const std::string& name, const std::string& range) {
    add(name, "random_float", 3, 5);
    const rfs::Run run(folder / "runs" / name);
    auto eval = run.eval_record();
    eval.settings.replace(eval.settings.find("1000.0"), 6, range);
    run.write(eval);
  };
  add_range("rfs3", "10.0");
  const auto series = read_series({folder / "runs"});
  ASSERT_EQ(series.size(), 3u);
  EXPECT_EQ(series[0].name, "random_float, range = 1000.0");
  EXPECT_EQ(series[1].name, "random_float, range = 10.0");
  EXPECT_EQ(series[2].name, "sequential");
  EXPECT_EQ(length_span(series, true).first, 2);
  EXPECT_EQ(length_span(series, true).last, 3);
}

TEST_F(Reports, NameSeriesByTheirFoldersIfManySettingsDiffer) {
  const auto add_run = [&](const std::string& name, const std::string& steps, bool many) {
    add(name, "sequential", 3, 5);
    const rfs::Run run(folder / "few" / name);
    fs::create_directories(folder / "few");
    fs::remove_all(run.folder());
    fs::rename(folder / "runs" / name, run.folder());
    auto eval = run.eval_record();
    const std::string other = many ? steps : "1";
    eval.settings += "steps = " + steps + "\nwarmup = " + other + "\nbatch = " + other + "\nclip = " + other +
                     "\nbeta1 = " + other + "\n";
    run.write(eval);
  };
  add_run("one", "2", false);
  add_run("two", "3", false);
  EXPECT_EQ(read_series({folder / "few"})[0].name, "steps = 2");
  add_run("two", "3", true);
  const auto series = read_series({folder / "few"});
  ASSERT_EQ(series.size(), 2u);
  EXPECT_EQ(series[0].name, "one");
  EXPECT_EQ(series[1].name, "two");
}

TEST_F(Reports, WriteFiguresAndAPageThatNeedsNoOtherFile) {
  write_report(read_series({folder / "runs"}), folder / "report");
  for (const char* name : {"accuracy.svg", "accuracy.png", "accuracy.gp", "accuracy.dat", "loss.svg", "loss.png",
                           "loss.gp", "loss.dat", "table.md", "index.html"}) {
    EXPECT_TRUE(fs::exists(folder / "report" / name)) << name;
  }
  EXPECT_EQ(read_file(folder / "report" / "accuracy.png").substr(1, 3), "PNG");
  EXPECT_NE(read_file(folder / "report" / "accuracy.gp").find("rectangle from first 1.5, graph 0 to first 3.5"),
            std::string::npos);
  EXPECT_NE(read_file(folder / "report" / "accuracy.dat").find("# : random_float\n2 "), std::string::npos);
  EXPECT_NE(read_file(folder / "report" / "accuracy.dat").find("\n4 0.7 0.6 0.8 20\n"), std::string::npos);
  const auto page = read_file(folder / "report" / "index.html");
  EXPECT_NE(page.find("class='figure chart'"), std::string::npos);
  EXPECT_NE(page.find("a b <mark>x</mark> d"), std::string::npos);
  EXPECT_NE(page.find("a b &lt;c&gt; d"), std::string::npos);
  for (const char* outside : {"src=", "href=\"http", "href='http", "@import", "url(", "<img", "fetch("}) {
    EXPECT_EQ(page.find(outside), std::string::npos) << outside;
  }
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
}

TEST_F(Reports, HaveFiguresWithValuesIntervalsAndRecords) {
  add("a <b> #1%", "sequential", 2, 10);
  auto series = read_series({folder / "runs"});
  const auto figure = accuracy_figure(series);
  const auto json = chart_json("A </script> title", {{"exact match", figure}}, folder / "report");
  // Seeds 8 of 10 and 6 of 10: the band is lowest to highest. Points: x, y, low, high, samples.
  EXPECT_NE(json.find("[4.0,0.7,0.6,0.8,20]"), std::string::npos) << json;
  EXPECT_NE(json.find("\"trained\":[2.0,3.0]"), std::string::npos) << json;
  EXPECT_NE(json.find("{\"command\":\"\",\"href\":\"./../runs/rfs2/\",\"name\":\"rfs2\"}"), std::string::npos) << json;
  EXPECT_NE(json.find("./../runs/a%20%3Cb%3E%20%231%25/"), std::string::npos) << json;
  const auto html = chart_html("A </script> title", {{"exact match", figure}}, folder / "report");
  EXPECT_EQ(html.find("</script>"), html.rfind("</script>")) << "a text ends the element: " << html;
  EXPECT_NE(html.find("A \\u003c/script> title"), std::string::npos);
  // One seed: the 95 % Wilson interval of 9 of 10.
  fs::remove_all(folder / "runs" / "rfs2");
  const auto one = chart_json("", {{"", accuracy_figure(read_series({folder / "runs"}))}}, {});
  EXPECT_NE(one.find("[3.0,0.9,0.59585,0.98212,10]"), std::string::npos) << one;
  EXPECT_NE(one.find("\"href\":\"\""), std::string::npos) << "without a folder there are no links";
  // Long lines are thinned; the last point stays.
  PanelFigure long_figure;
  long_figure.panels.resize(1);
  auto& line = long_figure.panels[0].lines.emplace_back(series_style("long", 1));
  for (int i = 0; i < 1000; ++i) line.points.push_back({i * 1.0, 0.5, 0.5, 0.5, 1});
  const auto thinned = chart_json("", {{"", long_figure}}, {});
  EXPECT_LE(std::count(thinned.begin(), thinned.end(), '['), 400);
  EXPECT_NE(thinned.find("[999.0,"), std::string::npos);
  EXPECT_NE(thinned.find("\"dash\":\"9 5\""), std::string::npos);
}

TEST_F(Reports, LinkToFoldersThatCannotBeMistakenForOtherAddresses) {
  EXPECT_EQ(relative_url("/a/javascript:x", "/a"), "./javascript%3Ax/");
  EXPECT_EQ(relative_url("/a/b\"'<&?", "/a/c"), "./../b%22%27%3C%26%3F/");
}

TEST_F(Reports, SayHowAnswersGoWrong) {
  write_report(read_series({folder / "runs"}), folder / "report");
  EXPECT_FALSE(fs::exists(folder / "report" / "errors.svg")) << "nothing was decoded";
  EXPECT_EQ(read_file(folder / "report" / "index.html").find("Kinds of mistakes"), std::string::npos);
  const auto decode = [&](const std::string& name, double accuracy, int64_t dropped, int64_t stopped) {
    const rfs::Run run(folder / "runs" / name);
    auto eval = run.eval_record();
    eval.settings += "[eval]\ndecoded = 10\n";
    eval.lengths[0].decoded = {10, 1, 0, {}, {{"dropped", 0}, {"stopped_early", 0}}};
    eval.lengths[3].decoded = {10, accuracy, 0.25, {}, {{"dropped", dropped}, {"stopped_early", stopped}}};
    run.write(eval, "decoded");
  };
  decode("rfs1", 0.5, 4, 0);
  decode("rfs2", 0.75, 2, 2);
  const auto says = [&] {
    try {
      read_series({folder / "runs"}, "decoded");
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  }();
  EXPECT_NE(says.find("seq1: no evaluation 'decoded' (it has: the main one (without --eval))"), std::string::npos)
      << says;
  decode("seq1", 0, 0, 0);
  const auto series = read_series({folder / "runs"}, "decoded");
  ASSERT_EQ(series.size(), 2u);
  const auto lengths = decoded_lengths(series[0]);
  ASSERT_EQ(lengths.size(), 2u);
  EXPECT_EQ(lengths[1].length, 5);
  EXPECT_DOUBLE_EQ(lengths[1].token_accuracy, 0.625);
  EXPECT_DOUBLE_EQ(lengths[1].similarity, 0.75);
  EXPECT_EQ(mistake_rows(series), (std::vector<std::vector<std::string>>{{"model", "wrong", "dropped", "stopped early"},
                                                                         {"random_float", "8 of 20", ".75", ".25"},
                                                                         {"sequential", "0 of 10", "-", "-"}}));
  write_report(series, folder / "report");
  EXPECT_EQ(read_file(folder / "report" / "errors.png").substr(1, 3), "PNG");
  const auto drawn = read_file(folder / "report" / "errors.dat");
  EXPECT_NE(drawn.find("\n4 0.7 0.7 0.7 20\n5 0.7 0.7 0.7 20\n"), std::string::npos) << drawn;
  for (const char* block : {"# Token accuracy: random_float\n2 1 1 1 20\n5 0.625 0.625 0.625 20\n",
                            "# 1 - edit distance: random_float\n2 1 1 1 20\n5 0.75 0.75 0.75 20\n"}) {
    EXPECT_NE(drawn.find(block), std::string::npos) << drawn;
  }
  EXPECT_NE(read_file(folder / "report" / "table.md").find("| random_float | 8 of 20 |"), std::string::npos);
  const auto page = read_file(folder / "report" / "index.html");
  EXPECT_NE(page.find("<td>8 of 20</td><td>.75</td>"), std::string::npos);
  EXPECT_NE(page.find("[5.0,0.625,0.625,0.625,20]"), std::string::npos) << "the figure stands in the page";
}

TEST_F(Reports, SayWhatIsMissing) {
  const auto says = [](const auto& body) {
    try {
      body();
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_NE(says([&] { read_series({folder / "nowhere"}); }).find("no such run folder"), std::string::npos);
  fs::remove(folder / "runs" / "rfs1" / "eval.json");
  fs::remove(folder / "runs" / "rfs2" / "eval.json");
  fs::remove(folder / "runs" / "seq1" / "eval.json");
  EXPECT_NE(says([&] { read_series({folder / "runs"}); }).find("no evaluated runs found here"), std::string::npos);
  SetUp();
  setenv("RFS_GNUPLOT", "no-such-gnuplot", 1);
  EXPECT_NE(says([&] {
              write_report(read_series({folder / "runs"}), folder / "report");
            }).find("cannot draw this figure: no program"),
            std::string::npos);
  unsetenv("RFS_GNUPLOT");
  EXPECT_TRUE(fs::exists(folder / "report" / "accuracy.gp"));
}

TEST(SeriesNames, AreOfFoldersIfSettingsDoNotTellThemApart) {
  const auto named = [](const std::vector<std::pair<std::string, std::map<std::string, std::string>>>& runs) {
    std::vector<Series> series;
    for (const auto& [folder, settings] : runs) {
      Series one;
      one.settings = settings;
      one.runs = {rfs::Run(folder)};
      series.push_back(one);
    }
    name_apart(series);
    std::vector<std::string> names;
    for (const auto& one : series) names.push_back(one.name);
    return names;
  };
  using Names = std::vector<std::string>;
  const std::map<std::string, std::string> rope = {{"encoding.use", "\"rope\""}}, none = {{"encoding.use", "\"none\""}},
                                           window = {{"encoding.use", "\"rope\""}, {"layers.window", "4"}};
  EXPECT_EQ(named({{"a/one", rope}, {"a/two", none}}), (Names{"rope", "none"}));
  EXPECT_EQ(named({{"a/one", rope}, {"a/two", window}, {"a/three", none}}), (Names{"one", "two", "three"}));
  EXPECT_EQ(named({{"a/one", rope}, {"b/one", window}, {"a/three", none}}), (Names{"a/one", "b/one", "a/three"}));
  const std::map<std::string, std::string> pattern = {{"encoding.use", "\"none\""}, {"layers.pattern", "\"LG\""}};
  EXPECT_EQ(named({{"a/one", rope}, {"a/two", pattern}}), (Names{"one", "two"}));
}

}  // namespace
}  // namespace rfs
