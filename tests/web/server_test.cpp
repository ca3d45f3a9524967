// The local server and the state that its live page shows.

#include "rfs/web/server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/records/run.h"
#include "rfs/records/validation_record.h"
#include "rfs/web/watch.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

int connected(uint16_t port) {
  const int file = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(connect(file, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  return file;
}

std::string answer(uint16_t port, const std::string& request) {
  const int file = connected(port);
  EXPECT_EQ(send(file, request.data(), request.size(), MSG_NOSIGNAL), static_cast<ssize_t>(request.size()));
  std::string text;
  char buffer[4096];
  for (ssize_t count = 0; (count = recv(file, buffer, sizeof buffer, 0)) > 0;)
    text.append(buffer, static_cast<size_t>(count));
  close(file);
  return text;
}

/// A server in its own thread.
class Server : public testing::Test {
 protected:
  LocalServer server{0,
                     {{"/", {"text/html", [] { return "<p>page"; }}},
                      {"/big", {"text/plain", [] { return std::string(5'000'000, 'x'); }}},
                      {"/broken", {"text/plain", []() -> std::string { throw Error("runs/x: is broken"); }}}}};
  std::atomic<bool> stopped = false;
  std::thread thread{[this] { server.serve([this] { return stopped.load(); }); }};
  void TearDown() override {
    stopped = true;
    thread.join();
  }
  std::string status(const std::string& request) { return answer(server.port(), request).substr(9, 3); }
};

TEST_F(Server, AnswersGetForItsPagesOnly) {
  const auto page = answer(server.port(), "GET / HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n");
  EXPECT_TRUE(page.starts_with("HTTP/1.1 200 OK\r\n")) << page;
  EXPECT_TRUE(page.ends_with("\r\n\r\n<p>page")) << page;
  EXPECT_NE(page.find("Content-Type: text/html; charset=utf-8\r\n"), std::string::npos);
  EXPECT_EQ(status("GET / HTTP/1.1\r\nhost:localhost\r\n\r\n"), "200");
  EXPECT_EQ(status("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"), "405");
  EXPECT_EQ(status("GET /../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n"), "404");
  EXPECT_EQ(status("GET /?x HTTP/1.1\r\nHost: localhost\r\n\r\n"), "404");
  EXPECT_EQ(status("nonsense\r\n\r\n"), "400");
  const std::string endless = "GET / HTTP/1.1\r\nX: ";
  EXPECT_EQ(status(endless + std::string(16'385 - endless.size(), 'x')), "431") << "a request without an end";
  const auto broken = answer(server.port(), "GET /broken HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_TRUE(broken.starts_with("HTTP/1.1 500 ") && broken.ends_with("runs/x: is broken\n")) << broken;
  const auto big = answer(server.port(), "GET /big HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(big.size() - big.find("\r\n\r\n") - 4, 5'000'000u);
}

TEST_F(Server, RefusesOtherNames) {
  for (const char* host : {"Host: evil.example\r\n", "Host: 127.0.0.1.evil.example\r\n", "",
                           "Host: localhost\r\nHost: x\r\n", "Host:\r\n"}) {
    EXPECT_EQ(status(std::string("GET / HTTP/1.1\r\n") + host + "\r\n"), "403") << host;
  }
}

TEST_F(Server, DoesNotWaitForSilentConnections) {
  const int silent = connected(server.port());
  EXPECT_EQ(status("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"), "200");
  close(silent);
}

TEST_F(Server, SaysThatAPortIsInUse) {
  try {
    LocalServer(server.port(), {});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              rfs::format("--port {}: another program uses this port; choose another one, or 0 for any free one",
                          server.port()));
  }
}

TEST(Watch, ShowsRunsAsTheyAppearAndDevelop) {
  const fs::path folder = fs::temp_directory_path() / ("rfs_watch_test_" + std::to_string(getpid()));
  RunWatch watch(folder);
  EXPECT_EQ(Json::parse(watch.state()).at("runs").size(), 0u) << "the folder does not exist yet";
  const rfs::Run run(folder / "a <b>");
  write_file(run.file("settings.toml"), "[task]\nuse = \"copy\"\n[train]\nsteps = 100\n");
  const auto begin = fs::file_time_type::clock::now() - std::chrono::hours(1);
  fs::last_write_time(run.file("settings.toml"), begin);
  auto state = Json::parse(watch.state());
  EXPECT_EQ(state.at("runs").at(0).at("name"), "a <b>");
  EXPECT_EQ(state.at("runs").at(0).at("steps"), 100);
  EXPECT_EQ(state.at("charts").size(), 0u);

  const auto at_step = [&](int64_t step, double loss, double share, int64_t seconds) {
    run.add({step, loss, 1e-3, 1, 2000, share});
    add_validation(run.folder(), {step, {{2, step / 10, 10, true}, {3, 0, 10, true}}});
    fs::last_write_time(run.file("metrics.jsonl"), begin + std::chrono::seconds(seconds));
  };
  at_step(20, 2.5, 0.25, 10);
  watch.state();
  at_step(60, 1.5, 0.75, 30);
  state = Json::parse(watch.state());
  const auto& row = state.at("runs").at(0);
  EXPECT_EQ(row.at("step"), 60);
  EXPECT_EQ(row.at("left"), "20 s") << "60 steps took 30 s since the first look, and 40 are left";
  EXPECT_EQ(row.at("loss"), "1.5000");
  EXPECT_EQ(row.at("validation"), "0.750");
  const auto points = [&](size_t chart) {
    return state.at("charts").at(chart).at("measures").at(0).at("panels").at(0).at("lines").at(0).at("points");
  };
  EXPECT_EQ(points(0), Json::parse("[[20,2.5,2.5,2.5,1],[60,1.5,1.5,1.5,1]]"));
  EXPECT_EQ(points(1), Json::parse("[[20,0.25,0.25,0.25,1],[60,0.75,0.75,0.75,1]]"));
  EXPECT_EQ(points(2).at(0), Json::parse("[2,0.6,0.31267,0.83182,10]"))
      << "the latest validation by length, with its interval";

  add_validation(run.folder(), {70, {{2, 9, 10, true}, {9, 1, 4, false}, {10, 0, 4, false}}});
  state = Json::parse(watch.state());
  EXPECT_EQ(state.at("charts").at(2).at("title"), "Untrained lengths during training");
  EXPECT_EQ(points(2), Json::parse("[[70,0.125,0.125,0.125,1]]"));

  run.write(TrainRecord{100, 100, 23, 1000, 2.0, 0.5, 10, {}, 0, {}});
  EvalRecord eval;
  eval.lengths = {{2, 10, 10, true}, {9, 5, 10, false}};
  run.write(eval);
  state = Json::parse(watch.state());
  EXPECT_EQ(state.at("runs").at(0).at("state"), "evaluated");
  EXPECT_EQ(points(3).at(1).at(0), 9);
  fs::remove_all(folder);
}

TEST(Watch, KeepsLossesOfLanguageModelsFromExactMatches) {
  const fs::path folder = fs::temp_directory_path() / ("rfs_watch_kinds_test_" + std::to_string(getpid()));
  for (const auto& [task, validation] : {std::pair("copy", 0.5), {"corpus", 4.5}}) {
    const rfs::Run run(folder / task);
    write_file(run.file("settings.toml"), std::string("[task]\nuse = \"") + task + "\"\n[train]\nsteps = 100\n");
    run.add({20, 2.5, 1e-3, 1, 2000, validation});
  }
  std::map<std::string, double> shown;
  const auto state = Json::parse(RunWatch(folder).state());
  for (const auto& chart : state.at("charts")) {
    const auto& lines = chart.at("measures").at(0).at("panels").at(0).at("lines");
    if (lines.size() == 1) shown[chart.at("title")] = lines.at(0).at("points").at(0).at(1);
  }
  EXPECT_EQ(shown, (std::map<std::string, double>{{"Validation loss during training", 4.5},
                                                  {"Validation during training", 0.5}}));
  fs::remove_all(folder);
}

TEST(Validation, OfLaterStepsIsRemovedWhenARunResumes) {
  const fs::path folder = fs::temp_directory_path() / ("rfs_validation_test_" + std::to_string(getpid()));
  const rfs::Run run(folder);
  run.keep_metrics(10);
  EXPECT_FALSE(fs::exists(folder / validation_file));
  for (const int64_t step : {10, 20, 30}) add_validation(folder, {step, {{4, step, 100, true}, {9, 1, 5, false}}});
  append_file(folder / validation_file, "{\"step\": 40, \"leng");
  ASSERT_EQ(read_validation(folder).size(), 3u);
  run.keep_metrics(20);
  const auto kept = read_validation(folder);
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_EQ(kept[1].step, 20);
  EXPECT_EQ(kept[1].lengths.at(0).correct, 20);
  EXPECT_EQ(kept[1].lengths.at(0).total, 100);
  EXPECT_TRUE(kept[1].lengths.at(0).trained);
  EXPECT_FALSE(kept[1].lengths.at(1).trained);
  EXPECT_EQ(read_file(folder / validation_file),
            "{\"lengths\":[[4,10,100],[9,1,5,false]],\"step\":10}\n"
            "{\"lengths\":[[4,20,100],[9,1,5,false]],\"step\":20}\n");
  fs::remove_all(folder);
}

}  // namespace
}  // namespace rfs
