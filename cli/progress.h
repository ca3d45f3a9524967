#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace rfs {

/// One line of progress on standard error: redrawn in place on a terminal, a plain line now and then elsewhere.
class ProgressLine {
 public:
  explicit ProgressLine(std::string title);
  ~ProgressLine();

  /// Shows `done` of `all` with `text` behind the bar. Cheap to call often: most calls draw nothing.
  void show(double done, double all, const std::string& text);
  /// True when the next `show` would draw: lets a caller skip making the text.
  bool due() const;
  /// Writes a line of its own above.
  void note(const std::string& text);
  /// Ends the line, leaving `text` in its place.
  void finish(const std::string& text);

 private:
  using Clock = std::chrono::steady_clock;
  std::string title_;
  bool terminal_;
  bool open_ = false;
  Clock::time_point next_;
};

/// One line for runs that train side by side: the sum of their steps. For use from their threads.
class SharedProgress {
 public:
  struct Part {
    int64_t step = 0, steps = 0;
    double tokens_per_second = 0, seconds_left = 0;
  };
  SharedProgress(const std::string& title, size_t runs) : line_(title), parts_(runs) {}

  void show(size_t run, const Part& part);
  /// The run has ended: a line that says how.
  void finish(size_t run, const std::string& title, const std::string& text);

 private:
  std::mutex mutex_;
  ProgressLine line_;
  std::vector<Part> parts_;
};

}  // namespace rfs
