#include "stop.h"

#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <system_error>
#include <thread>

#include "print.h"
#include "rfs/core/temporary.h"
#include "verbs.h"

namespace rfs {
namespace {

std::atomic<int> requested = 0;  // lock-free, so that a signal handler can set it
std::atomic<bool> noticed = false;
std::atomic<int> stopping_themselves = 0;
sem_t signal_received;  // posted by the signal handler

void request_stop(int signal) {
  if (requested) {  // a second signal ends the process immediately
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  requested = 1;
  sem_post(&signal_received);
}

/// True if the program was started with SIGHUP ignored, as nohup does. Checked before libraries are initialised,
/// because MPI's UCX replaces the handler when it is loaded.
bool hangup_ignored = false;

__attribute__((no_sanitize("address", "thread", "undefined"))) void look_at_hangup(int, char**, char**) {
  struct {  // the kernel's sigaction struct
    void (*handler)(int);
    unsigned long flags;
    void (*restorer)();
    unsigned long mask;
  } action{};
  if (syscall(SYS_rt_sigaction, SIGHUP, nullptr, &action, sizeof action.mask) == 0) {
    hangup_ignored = action.handler == SIG_IGN;
  }
}

__attribute__((section(".preinit_array"), used)) void (*const first)(int, char**, char**) = look_at_hangup;

/// Waits for a signal and ends the process if no verb does.
void watch() {
  while (sem_wait(&signal_received) != 0) {
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  if (noticed || stopping_themselves > 0) return;
  Ephemeral::remove_all();
  say("{}rfs: stopped\n", isatty(STDERR_FILENO) == 1 ? "\r\033[K" : "");
  _exit(exit_stopped);
}

}  // namespace

void handle_signals() {
  sem_init(&signal_received, 0, 0);
  try {
    std::thread(watch).detach();
  } catch (const std::system_error&) {  // no thread available: verbs then end when they next call stop_requested
  }
  std::signal(SIGINT, request_stop);
  std::signal(SIGTERM, request_stop);
  std::signal(SIGUSR1, request_stop);  // mpirun forwards it, and schedulers send it before a time limit
  std::signal(SIGHUP, hangup_ignored ? SIG_IGN : request_stop);  // with nohup, the run outlives its terminal
  for (const int failing_write : {SIGPIPE, SIGXFSZ}) std::signal(failing_write, SIG_IGN);
}

bool stop_requested() {
  if (requested) noticed = true;
  return requested != 0;
}

StopsItself::StopsItself() {
  ++stopping_themselves;
}
StopsItself::~StopsItself() {
  --stopping_themselves;
}

}  // namespace rfs
