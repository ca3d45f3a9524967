#include "rfs/core/settings.h"

#include <gtest/gtest.h>

#include "rfs/core/error.h"
#include "rfs/core/options.h"
#include "rfs/core/registry.h"

namespace rfs {
namespace {

struct Sample : Options {
  Field<double> range{this, "range", 1000.0, "a width", above<double>(0.0)};
  Field<int64_t> steps{this, "steps", 10, "a count", at_least<int64_t>(1)};
  Field<bool> flag{this, "flag", false, "a switch"};
  Field<std::string> draw{this, "draw", "sequence", "a choice", one_of({"sequence", "window"})};
  Field<std::vector<int64_t>> lengths{this, "lengths", {2, 20}, "an interval", interval(1, 99)};
};

std::string message(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::string reading(const std::string& toml) {
  return message([&] {
    Sample sample;
    sample.read(*Settings::from_text(toml, "a.toml").find("sample"));
  });
}

TEST(Options, ReadEveryTypeAndRememberWhere) {
  Sample sample;
  sample.read(
      *Settings::from_text("[sample]\nrange = 5\nsteps = 3\nflag = true\ndraw = 'window'\nlengths = [3, 4]\n", "a.toml")
           .find("sample"));
  EXPECT_EQ(*sample.range, 5.0);
  EXPECT_EQ(*sample.steps, 3);
  EXPECT_TRUE(*sample.flag);
  EXPECT_EQ(*sample.draw, "window");
  EXPECT_EQ(*sample.lengths, (std::vector<int64_t>{3, 4}));
  EXPECT_EQ(sample.entries()[1].origin, "a.toml:3");
  EXPECT_EQ(sample.value(sample.entries()[0]).text(), "5.0");
  EXPECT_EQ(sample.value(sample.entries()[4]).text(), "[3, 4]");
}

TEST(Options, CopiesAreIndependent) {
  Sample one;
  Sample two = one;
  two.set("sample", "range", Value{7.0, "here"});
  EXPECT_EQ(*one.range, 1000.0);
  EXPECT_EQ(*two.range, 7.0);
  EXPECT_EQ(two.value(two.entries()[0]).text(), "7.0");
  EXPECT_EQ(one.entries()[0].origin, "default");
}

TEST(Options, SayWhatIsWrong) {
  EXPECT_EQ(reading("[sample]\nrnage = 5\n"),
            "a.toml:2: unknown key 'sample.rnage' (did you mean 'sample.range'?); known: sample.range, sample.steps, "
            "sample.flag, sample.draw, sample.lengths");
  EXPECT_EQ(reading("[sample]\nrange = -1\n"), "a.toml:2: sample.range must be above 0, got -1");
  EXPECT_EQ(reading("[sample]\nsteps = 1.5\n"), "a.toml:2: sample.steps must be an integer, got 1.5");
  EXPECT_EQ(reading("[sample]\nflag = 'yes'\n"), "a.toml:2: sample.flag must be a boolean, got \"yes\"");
  EXPECT_EQ(reading("[sample]\ndraw = 'row'\n"), "a.toml:2: sample.draw must be one of sequence, window, got \"row\"");
  EXPECT_EQ(reading("[sample]\nlengths = [5, 2]\n"),
            "a.toml:2: sample.lengths must be [first, last] with 1 <= first <= last <= 99, got [5, 2]");
  EXPECT_EQ(reading("[sample]\nlengths = 5\n"), "a.toml:2: sample.lengths must be a list of integers, got 5");
}

TEST(Settings, AssignmentsAreTomlOrBareWords) {
  Settings settings;
  settings.assign("positions.use=random_float");
  settings.assign("positions.range=10");
  settings.assign("task.lengths=[1, 2]");
  settings.assign("train.name=\"a b\"");
  for (const char* path : {"/data/copy-1", "./copy", "../copy.d", "~/copy"}) {
    settings.assign(std::string("task.folder=") + path);
    EXPECT_EQ(std::get<std::string>(settings.find("task")->find("folder")->data), path);
  }
  const auto text = [&](const char* table, const char* key) { return settings.find(table)->find(key)->text(); };
  for (const auto& [given, read] : {std::pair("[rope, none ,a-b.c_d]", R"(["rope", "none", "a-b.c_d"])"),
                                    {"[ rope,\"x y\"]", R"(["rope", "x y"])"},
                                    {"[[rope], [1, 2]]", R"([["rope"], [1, 2]])"}}) {
    settings.assign(std::string("encoding.use=") + given);
    EXPECT_EQ(text("encoding", "use"), read);
  }
  const std::string endless(1'000'000, 'a');
  settings.assign("task.folder=" + endless);
  EXPECT_EQ(std::get<std::string>(settings.find("task")->find("folder")->data), endless);
  settings.assign("task.folder=[" + endless + "]");
  EXPECT_EQ(text("task", "folder"), "[\"" + endless + "\"]");
  EXPECT_EQ(text("positions", "use"), "\"random_float\"");
  EXPECT_EQ(text("positions", "range"), "10");
  EXPECT_EQ(text("task", "lengths"), "[1, 2]");
  EXPECT_EQ(text("train", "name"), "\"a b\"");
  EXPECT_EQ(settings.find("positions")->find("range")->origin, "--set positions.range");
  for (const char* bad : {"positions", "positions.range", "=3", ".a=3", "a.=3", "a.b=", "a.b=[1", "a.b=[a b]", "a.b=[a",
                          "a.b=a b", "a.b=3a"}) {
    EXPECT_NE(message([&] { settings.assign(bad); }), "no error") << bad;
  }
}

// 100,000 keys or tables: quadratic work would take minutes.
TEST(Settings, TakeTimeInProportionToTheirSize) {
  constexpr int count = 100'000;
  std::string keys = "[sample]\n", tables;
  for (int i = 0; i < count; ++i) {
    keys += "k" + std::to_string(i) + " = 1\n";
    tables += "[t" + std::to_string(i) + "]\n";
  }
  auto settings = Settings::from_text(keys, "a.toml");
  Table& table = settings.table("sample");
  ASSERT_EQ(table.values().size(), static_cast<size_t>(count));
  EXPECT_EQ(table.values()[3].first, "k3");
  EXPECT_EQ(table.find("k99999")->origin, "a.toml:100001");
  for (int i = 0; i < count; ++i) table.set("k" + std::to_string(i), Value{int64_t{2}, ""});
  table.erase_if([](const std::string& key, const Value&) { return key != "k7" && key != "k99999"; });
  ASSERT_EQ(table.values().size(), 2u);
  EXPECT_EQ(*table.find("k99999"), (Value{int64_t{2}, ""}));
  EXPECT_EQ(table.find("k8"), nullptr);

  settings = Settings::from_text(tables, "a.toml");
  EXPECT_EQ(settings.tables().size(), static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) ASSERT_NE(settings.find("t" + std::to_string(i)), nullptr);
  EXPECT_EQ(settings.find("sample"), nullptr);
}

TEST(Settings, FilesMayBeWrong) {
  EXPECT_NE(message([] { Settings::from_text("[a\n", "a.toml"); }).find("a.toml:1:3: not valid TOML"),
            std::string::npos);
  EXPECT_EQ(message([] { Settings::from_text("a = 1\n", "a.toml"); }),
            "a.toml:1: a: must be in a table such as [train]");
  EXPECT_EQ(message([] { Settings::from_text("[a]\nb = 2020-01-01\n", "a.toml"); }),
            "a.toml:2: a.b: must be a boolean, number, string or list, got a date or time");
  EXPECT_EQ(message([] { Settings::from_text("[a.b]\nc = 1\n", "a.toml"); }),
            "a.toml:1: a.b: must be a boolean, number, string or list, got a table");
  EXPECT_EQ(message([] { Settings::from_file("/nowhere/a.toml"); }),
            "/nowhere/a.toml: cannot read this file: No such file or directory");
}

TEST(Value, IsPrintedAsToml) {
  EXPECT_EQ((Value{1e-3, ""}.text()), "0.001");
  EXPECT_EQ((Value{1e100, ""}.text()), "1e+100");
  EXPECT_EQ((Value{std::string("a\"b\\\n\x01"), ""}.text()), "\"a\\\"b\\\\\\n\\u0001\"");
  const Value value{std::string("tab\t\x7f end"), ""};
  EXPECT_EQ(*Settings::from_text("[t]\nk = " + value.text(), "t").find("t")->find("k"), value);
}

struct Shape {
  static constexpr std::string_view family = "shapes";
  virtual ~Shape() = default;
};
struct Square : Shape {
  using Options = NoOptions;
  explicit Square(const Options&) {}
};

TEST(Registry, NamesByFileAndListsTheKnown) {
  Registry<Shape>::add<Square>("four sides");
  EXPECT_EQ(Registry<Shape>::names(), std::vector<std::string>{"settings_test"});
  EXPECT_EQ(message([] { Registry<Shape>::find("round", "a.toml:1"); }),
            "a.toml:1: unknown shapes.use 'round'; known: settings_test");
  const auto settings = Settings::from_text("[shapes]\nuse = 3\n", "a.toml");
  EXPECT_EQ(message([&] { Choice<Shape>::read(settings.find("shapes"), "settings_test"); }),
            "a.toml:2: shapes.use must be a string, got 3");
}

}  // namespace
}  // namespace rfs
