// Waiting libgomp threads spin. If two trainings share cores, each waits for the other's spinning threads and takes up
// to ten times as long. A short spin costs nothing. libgomp reads GOMP_SPINCOUNT when it is loaded, which is before
// `main`. So the program restarts itself with it before any library is initialised, unless the user has set it.

#include <alloca.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <cstddef>

namespace {

constexpr char setting[] = "GOMP_SPINCOUNT=1000";

/// True if a variable of the environment has this name, which ends with '='. No library may be called this early.
__attribute__((no_sanitize("address", "thread", "undefined"))) bool is_set(const char* variable, const char* name) {
  for (; *name != '\0'; ++name, ++variable) {
    if (*variable != *name) return false;
  }
  return true;
}

__attribute__((no_sanitize("address", "thread", "undefined"))) void shorten_spinning(int, char** arguments,
                                                                                     char** variables) {
  size_t count = 0;
  for (; variables[count]; ++count) {
    if (is_set(variables[count], "GOMP_SPINCOUNT=") || is_set(variables[count], "OMP_WAIT_POLICY=")) return;
  }
  auto** const more = static_cast<const char**>(alloca((count + 2) * sizeof(char*)));
  for (size_t i = 0; i < count; ++i) more[i] = variables[i];
  more[count] = setting;
  more[count + 1] = nullptr;
  auto* const program = static_cast<char*>(alloca(PATH_MAX));
  const long size = syscall(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", program, PATH_MAX - 1);
  if (size <= 0) return;  // everything still works, only slower next to another training
  program[size] = '\0';
  syscall(SYS_execve, program, arguments, more);
}

__attribute__((section(".preinit_array"), used)) void (*const first)(int, char**, char**) = shorten_spinning;

}  // namespace
