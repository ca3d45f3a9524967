#include "progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "print.h"

namespace rfs {

ProgressLine::ProgressLine(std::string title) : title_(std::move(title)), terminal_(isatty(STDERR_FILENO) == 1) {
  next_ = Clock::now() + (terminal_ ? std::chrono::milliseconds(0) : std::chrono::milliseconds(5'000));
}

ProgressLine::~ProgressLine() {
  if (terminal_ && open_) say("\n");
}

bool ProgressLine::due() const {
  return Clock::now() >= next_;
}

void ProgressLine::show(double done, double all, const std::string& text) {
  if (!due()) return;
  next_ = Clock::now() + (terminal_ ? std::chrono::milliseconds(100) : std::chrono::milliseconds(10'000));
  const double share = all > 0 ? std::clamp(done / all, 0.0, 1.0) : 0;
  if (!terminal_) {
    say("{}  {:3.0f} %  {}\n", title_, 100 * share, text);
    return;
  }
  constexpr int cells = 24;
  const auto full = static_cast<int>(std::floor(share * cells));
  std::string bar;
  for (int i = 0; i < cells; ++i) bar += i < full ? "█" : "░";
  winsize size{};
  const size_t columns = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
  const std::string head = fmt::format("{} ", title_), tail = fmt::format(" {:3.0f} % {}", 100 * share, text);
  const size_t room = columns > head.size() + cells ? columns - head.size() - cells - 1 : 0;
  say("\r{}{}{}\033[K", head, bar, tail.substr(0, room));
  std::fflush(stderr);
  open_ = true;
}

void ProgressLine::finish(const std::string& text) {
  say("{}{}  {}{}\n", terminal_ ? "\r" : "", title_, text, terminal_ ? "\033[K" : "");
  open_ = false;
}

void ProgressLine::note(const std::string& text) {
  say("{}{}{}\n", terminal_ ? "\r" : "", text, terminal_ ? "\033[K" : "");
  open_ = false;
}

void SharedProgress::show(size_t run, const Part& part) {
  const std::lock_guard lock(mutex_);
  parts_[run] = part;
  if (!line_.due()) return;
  Part sum;
  for (const Part& one : parts_) {
    sum.step += one.step;
    sum.steps += one.steps;
    sum.tokens_per_second += one.tokens_per_second;
    sum.seconds_left = std::max(sum.seconds_left, one.seconds_left);
  }
  line_.show(static_cast<double>(sum.step), static_cast<double>(sum.steps),
             fmt::format("step {}/{}  {} tok/s  {} left", sum.step, sum.steps, count(sum.tokens_per_second),
                         duration(sum.seconds_left)));
}

void SharedProgress::finish(size_t run, const std::string& title, const std::string& text) {
  const std::lock_guard lock(mutex_);
  parts_[run].tokens_per_second = parts_[run].seconds_left = 0;
  line_.note(fmt::format("{}  {}", title, text));
}

std::string duration(double seconds) {
  const auto whole = static_cast<long>(std::max(0.0, std::round(seconds)));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string count(double value) {
  if (value < 1e3) return fmt::format("{:.0f}", value);
  if (value < 1e6) return fmt::format("{:.1f} k", value / 1e3);
  return fmt::format("{:.2f} M", value / 1e6);
}

std::string bytes_text(double bytes) {
  return bytes < 1e9 ? fmt::format("{:.0f} MB", bytes / 1e6) : fmt::format("{:.1f} GB", bytes / 1e9);
}

}  // namespace rfs
