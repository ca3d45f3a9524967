#pragma once

#include <string>

#include "rfs/run/events.h"

namespace rfs {

/// Reports the start and end of a measurement while it lives.
class Measuring {
 public:
  struct Stopped {};  ///< thrown to stop the work

  Measuring(Measurement kind, const std::string& title, const RunContext& context) : context_(context) {
    context_.events->measuring_begins(kind, title);
  }
  ~Measuring() { context_.events->measuring_over(); }
  Measuring(const Measuring&) = delete;
  Measuring& operator=(const Measuring&) = delete;

  /// Throws Stopped if the caller wants to stop.
  void progress(const std::string& what, int64_t done, int64_t all) const {
    require_going();
    context_.events->measuring_progress(what, done, all);
  }
  void require_going() const {
    if (context_.stopped()) throw Stopped{};
  }

 private:
  const RunContext& context_;
};

}  // namespace rfs
