// How to use the library: train two small runs, evaluate them on longer inputs, and draw the figure. Takes 20 s on one
// core.

#include <rfs/rfs.h>

#include <cstdio>
#include <filesystem>

/// The library never prints. It reports events; override the methods you need.
class Console : public rfs::RunEvents {
  void note(const std::string& title, const std::string& text) override { show(title, text); }
  void training_begins(const std::string& title, const std::vector<std::string>&) override { title_ = title; }
  void job_ended(size_t, const std::string& text) override { show(title_, text); }
  void measuring_begins(rfs::Measurement, const std::string& title) override { title_ = title; }
  void measured(const std::string& text) override { show(title_, text); }

  static void show(const std::string& title, const std::string& text) {
    std::printf("%-13s %s\n", title.c_str(), text.c_str());
  }
  std::string title_;
};

int main(int count, char** arguments) try {
  const std::filesystem::path out = count > 1 ? arguments[1] : "runs/example";
  // As in a settings file, a list where one value is expected is a sweep. This one has two runs.
  const auto settings = rfs::Settings::from_text(R"(
    [positions]
    use = ["random_float", "sequential"]
    [encoding]
    share = 1.0
    [task]
    words = 8
    train_lengths = [2, 6]
    test_lengths = [7, 12]
    test_samples = 100
    [model]
    preset = "tiny"
    [train]
    steps = 600
    batch = 32
    learning_rate = 1e-3
    warmup = 60
  )",
                                                 "example");
  Console console;
  const rfs::RunContext context{.events = &console};
  std::vector<rfs::Job> jobs;
  for (const auto& [point, name] : rfs::expand(settings))
    jobs.push_back({out / name, rfs::RunSettings::read(point), name});
  rfs::check_jobs(jobs, context);  // reports mistakes before anything is written
  rfs::train_jobs(jobs, /*together=*/false, context);
  for (const auto& job : jobs) rfs::evaluate_run(rfs::Run(job.folder), {}, context);
  const auto report = rfs::report_runs({out}, out / "report", "", context);
  std::printf("\n%s\nFigure  %s\n", report.table.c_str(), report.figure.c_str());
} catch (const rfs::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
