#include "run_display.h"

#include "print.h"
#include "rfs/core/format.h"
#include "rfs/core/words.h"
#include "rfs/run/training.h"

namespace rfs {

void RunDisplay::note(const std::string& title, const std::string& text) {
  say("{}{}{}\n", title, title.empty() ? "" : "  ", text);
}

void RunDisplay::training_begins(const std::string& title, const std::vector<std::string>& jobs) {
  saving_.emplace();
  jobs_ = jobs;
  if (jobs.size() == 1 && jobs.front() == title) {
    line_.emplace(title);
  } else {
    shared_.emplace(title, jobs.size());
  }
}

void RunDisplay::training_progress(size_t job, const Progress& p) {
  if (shared_) {
    shared_->show(job, {p.step, p.steps, p.tokens_per_second, p.seconds_left});
  } else if (line_->due()) {
    const auto validation = p.validation ? "  validation " + validation_text(*p.validation, p.validates_loss) : "";
    line_->show(
        static_cast<double>(p.step), static_cast<double>(p.steps),
        rfs::format("step {}/{}  loss {:.4f}{}  lr {:.2e}  {} tok/s  {} left", p.step, p.steps, p.loss, validation,
                    p.learning_rate, count_text(p.tokens_per_second), duration_text(p.seconds_left)));
  }
}

void RunDisplay::job_ended(size_t job, const std::string& text) {
  if (shared_) {
    shared_->finish(job, jobs_[job], text);
  } else {
    line_->finish(text);
  }
}

void RunDisplay::training_over() {
  line_.reset();
  shared_.reset();
  saving_.reset();
}

void RunDisplay::measuring_begins(Measurement kind, const std::string& title) {
  kind_ = kind;
  what_.clear();
  begin_ = std::chrono::steady_clock::now();
  line_.emplace(title);
}

void RunDisplay::measuring_progress(const std::string& what, int64_t done, int64_t all) {
  if (what != what_) {
    what_ = what;
    begin_ = std::chrono::steady_clock::now();
  }
  if (!line_->due() || (done == 0 && kind_ != Measurement::evaluation)) return;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  const auto share = static_cast<double>(done), whole = static_cast<double>(all);
  std::string text;
  if (kind_ == Measurement::evaluation) {
    text = rfs::format("{} of {} {}", done, all, what);
  } else if (kind_ == Measurement::comparison) {
    text = rfs::format("{} of {} {}  {} left", done, all, what, duration_text(seconds * (whole - share) / share));
  } else {
    text = rfs::format("{}  {} of {} tokens  {} left", what, count_text(share), count_text(whole),
                       duration_text(seconds * (whole - share) / share));
  }
  line_->show(share, whole, text);
}

void RunDisplay::measured(const std::string& text) {
  line_->finish(text);
}

void RunDisplay::measuring_over() {
  line_.reset();
}

}  // namespace rfs
