#pragma once

#include <chrono>
#include <string>

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
  /// Ends the line, leaving `text` in its place.
  void finish(const std::string& text);

 private:
  using Clock = std::chrono::steady_clock;
  std::string title_;
  bool terminal_;
  bool open_ = false;
  Clock::time_point next_;
};

/// "4 s", "3 min 20 s", "2 h 5 min"
std::string duration(double seconds);
/// "950", "12.3 k", "4.56 M"
std::string count(double value);

}  // namespace rfs
