#include "print.h"

#include <cerrno>

namespace rfs {
namespace {

int first_error = 0;

void keep_error() {
  if (first_error == 0) first_error = errno;
}

}  // namespace

void print_text(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) < text.size()) keep_error();
}

int flush_output() {
  if (std::fflush(stdout) != 0) keep_error();
  return first_error == EPIPE ? 0 : first_error;
}

bool print_now(std::string_view text) {
  print_text(text);
  return flush_output() == 0 && std::ferror(stdout) == 0;
}

}  // namespace rfs
