#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace rfs {

/// A progress line on standard error: redrawn in place on a terminal, otherwise printed as a plain line every few
/// seconds.
class ProgressLine {
 public:
  explicit ProgressLine(std::string title);
  ~ProgressLine();

  /// Shows `done` of `all`, with `text` after the bar. Cheap to call often: most calls draw nothing.
  void show(double done, double all, const std::string& text);
  /// True if the next `show` would draw, so that callers can skip building the text.
  bool due() const;
  /// Writes a separate line above the progress line.
  void note(const std::string& text);
  /// Ends the progress line and replaces it with `text`.
  void finish(const std::string& text);

 private:
  using Clock = std::chrono::steady_clock;
  std::string title_;
  bool terminal_;
  bool open_ = false;
  Clock::time_point next_;
};

/// One progress line for runs that train at the same time: the sum of their steps. Thread-safe.
class SharedProgress {
 public:
  struct Part {
    int64_t step = 0, steps = 0;
    double tokens_per_second = 0, seconds_left = 0;
  };
  SharedProgress(const std::string& title, size_t runs) : line_(title), parts_(runs) {}

  void show(size_t run, const Part& part);
  /// Prints a line about a run that has ended.
  void finish(size_t run, const std::string& title, const std::string& text);

 private:
  std::mutex mutex_;
  ProgressLine line_;
  std::vector<Part> parts_;
};

}  // namespace rfs
