#include "prompt.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

#include "print.h"
#include "rfs/core/error.h"
#include "rfs/core/files.h"

namespace rfs {
namespace {

/// Reads standard input to its end. Throws Error if the user stops the program during reading.
std::string read_input(const RunContext& context) {
  std::string text;
  std::vector<char> part(1 << 16);
  for (;;) {
    if (context.stopped()) throw Error("standard input: stopped before its end");
    pollfd input{STDIN_FILENO, POLLIN, 0};
    const int ready = poll(&input, 1, 100);
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    const ssize_t count = read(STDIN_FILENO, part.data(), part.size());
    if (count <= 0) return text;
    text.append(part.data(), static_cast<size_t>(count));
  }
}

}  // namespace

std::string read_prompt(const std::optional<std::string>& given, const std::string& file, const RunContext& context) {
  if (given && !file.empty()) throw Error("--prompt: cannot be combined with --file");
  if (given) return *given;
  std::string text;
  if (!file.empty()) {
    text = read_file(file);
  } else {
    if (isatty(STDIN_FILENO) == 1) say("rfs: type the prompt, then Ctrl-D on an empty line\n");
    text = read_input(context);
  }
  if (text.ends_with('\n')) text.pop_back();  // it ends the file and is not part of the text
  return text;
}

}  // namespace rfs
