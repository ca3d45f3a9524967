#include "progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "print.h"
#include "rfs/core/format.h"
#include "rfs/core/words.h"

namespace rfs {
namespace {

/// Terminal columns of the UTF-8 character that starts with this byte: two for East Asian characters and emoji.
size_t columns_of(unsigned char first) {
  if ((first & 0xc0) == 0x80) return 0;  // not a first byte
  return first >= 0xf0 || first == 0xef || (first >= 0xe3 && first <= 0xed) ? 2 : 1;
}

/// The beginning of a text that fits into `columns` columns.
std::string fitted(const std::string& text, size_t columns) {
  size_t end = 0, used = 0;
  while (end < text.size() && (used += columns_of(static_cast<unsigned char>(text[end]))) <= columns) ++end;
  return text.substr(0, end);
}

/// Title, bar, percentage and text in at most `columns` columns. In narrow terminals the percentage stays longest, then
/// the title.
std::string drawn(const std::string& title, double share, const std::string& text, size_t columns) {
  const std::string percent = rfs::format("{:3.0f} %", 100 * share);
  const auto left = [&](size_t used) { return columns > used ? columns - used : 0; };
  const std::string head = fitted(title + " ", left(percent.size()));
  size_t head_columns = 0;
  for (const char c : head) head_columns += columns_of(static_cast<unsigned char>(c));
  const size_t cells = std::min<size_t>(24, left(head_columns + 1 + percent.size()));
  const auto full = static_cast<size_t>(share * static_cast<double>(cells));
  std::string bar;
  for (size_t i = 0; i < cells; ++i) bar += i < full ? "█" : "░";
  const size_t used = head_columns + cells + (cells > 0 ? 1 : 0) + percent.size();
  return fitted(head + bar + (cells > 0 ? " " : "") + percent, columns) + fitted(" " + text, left(used));
}

}  // namespace

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
  winsize size{};
  const size_t columns = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
  say("\r{}\033[K", drawn(title_, share, text, columns - 1));  // some terminals wrap at the last column
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
             rfs::format("step {}/{}  {} tok/s  {} left", sum.step, sum.steps, count_text(sum.tokens_per_second),
                         duration_text(sum.seconds_left)));
}

void SharedProgress::finish(size_t run, const std::string& title, const std::string& text) {
  const std::lock_guard lock(mutex_);
  parts_[run].tokens_per_second = parts_[run].seconds_left = 0;
  line_.note(rfs::format("{}  {}", title, text));
}

}  // namespace rfs
