#include "rfs/report/gnuplot.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/core/temporary.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

std::string gnuplot_program() {
  if (const char* chosen = std::getenv("RFS_GNUPLOT")) return chosen;
  const std::string built_with = RFS_GNUPLOT;
  return fs::exists(built_with) ? built_with : "gnuplot";
}

constexpr const char* log_name = "gnuplot.log";

/// The environment without gnuplot's own variables, which set terminals, fonts and search folders.
std::vector<char*> plain_environment() {
  std::vector<char*> variables;
  for (char** one = environ; *one; ++one) {
    const std::string_view variable = *one;
    if (!variable.starts_with("GNUPLOT") && !variable.starts_with("GNUTERM")) variables.push_back(*one);
  }
  variables.push_back(nullptr);
  return variables;
}

/// Runs gnuplot on ../SCRIPT in `folder`, redirects its output to a file there, and waits. Returns the exit status, or
/// -1 with the reason in errno if it cannot be started.
int status_of(const std::string& program, const fs::path& folder, const std::string& script) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log_name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  posix_spawnattr_t attributes;  // its own process group, so that Ctrl-C does not reach it
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  std::array<std::string, 5> words = {program, "--default-settings", "-e", "set loadpath '..'", "../" + script};
  std::array<char*, 6> arguments = {};
  for (size_t i = 0; i < words.size(); ++i) arguments[i] = words[i].data();
  auto environment = plain_environment();
  pid_t child = 0;
  const int failed = posix_spawnp(&child, program.c_str(), &actions, &attributes, arguments.data(), environment.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  int status = -1;
  if (failed == 0) {
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
  }
  errno = failed;
  return status;
}

/// A PNG file is a signature and chunks: size (4 bytes, big-endian), name, data, checksum. The last chunk is IEND.
bool whole_png(std::string_view content) {
  const std::string_view signature("\x89PNG\r\n\x1a\n", 8);
  if (!content.starts_with(signature)) return false;
  content.remove_prefix(signature.size());
  while (content.size() >= 12) {
    size_t size = 12;
    for (size_t i = 0; i < 4; ++i) size += size_t{static_cast<unsigned char>(content[i])} << (24 - 8 * i);
    if (size > content.size()) return false;
    if (content.substr(4, 4) == "IEND") return size == content.size();
    content.remove_prefix(size);
  }
  return false;
}

/// The images that a script draws.
std::vector<std::string> outputs_of(std::string_view script) {
  constexpr std::string_view before = "set output '";
  std::vector<std::string> names;
  for (size_t at = 0; (at = script.find(before, at)) != std::string_view::npos;) {
    at += before.size();
    names.emplace_back(script.substr(at, script.find('\'', at) - at));
  }
  return names;
}

/// Draws the images of a script into its folder.
void run_gnuplot(const fs::path& folder, const std::string& script) {
  const Ephemeral drawing(temporary_path(folder / ".drawing"));  // a folder for incomplete images
  fs::create_directories(drawing.path());
  const std::string program = gnuplot_program(), where = (folder / script).string();
  const int status = status_of(program, drawing.path(), script);
  if ((status == -1 && errno == ENOENT) || (WIFEXITED(status) && WEXITSTATUS(status) == 127)) {
    throw Error(
        rfs::format("{}: cannot draw this figure: no program '{}'; install gnuplot-nox or set RFS_GNUPLOT (script and "
                    "data are kept)",
                    where, program));
  }
  if (status == -1) throw Error(rfs::format("{}: cannot start {}: {}", where, program, std::strerror(errno)));
  if (status != 0) {
    const fs::path log = drawing.path() / log_name;
    std::string reason = fs::exists(log) ? read_file(log) : "";
    if (WIFSIGNALED(status)) reason = rfs::format("stopped by signal {}", WTERMSIG(status));
    std::replace(reason.begin(), reason.end(), '\n', ' ');
    throw Error(rfs::format("{}: gnuplot failed: {}", where, reason));
  }
  const auto images = outputs_of(read_file(folder / script));
  for (const auto& image : images) {
    const fs::path path = drawing.path() / image;
    if (fs::exists(path) && whole_image(read_file(path), path.extension())) continue;
    throw Error(
        rfs::format("{}: gnuplot wrote an incomplete image; free some disk space and draw it again (an earlier figure "
                    "is kept)",
                    (folder / image).string()));
  }
  for (const auto& image : images) fs::rename(drawing.path() / image, folder / image);
}

}  // namespace

void draw_figure(const fs::path& folder, const std::string& name, const std::string& script, const std::string& data) {
  write_file(folder / (name + ".gp"), script);
  write_file(folder / (name + ".dat"), data);
  run_gnuplot(folder, name + ".gp");
}

std::string drawn_again(const std::string& name) {
  return rfs::format("`gnuplot {}.gp` in this folder draws it again.", name);
}

bool has_figure(const fs::path& folder) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const fs::path& path = entry.path();
    if (path.extension() != ".gp" || !entry.is_regular_file(ignored)) continue;
    if (read_file(path).find(drawn_again(path.stem().string())) != std::string::npos) return true;
  }
  return false;
}

bool whole_image(std::string_view content, const std::string& kind) {
  if (kind == ".png") return whole_png(content);
  content = content.substr(0, content.find_last_not_of(" \t\r\n") + 1);
  if (kind == ".svg") return content.find("<svg") != std::string_view::npos && content.ends_with("</svg>");
  return content.starts_with("%PDF-") && content.ends_with("%%EOF");
}

// Single quotes take a text literally, but inside a block gnuplot 5.4 does not support their escape, a doubled quote.
// Double quotes support octal escapes.
std::string gnuplot_text(const std::string& text) {
  const auto plain = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte > 0x7f || std::isalnum(byte) || std::strchr(" _-+*/=.,:;()<>[]%&!?|~^$", c);
  };
  const std::string line = one_line(text);
  if (std::all_of(line.begin(), line.end(), plain)) return "'" + line + "'";
  std::string out;
  for (const char c : line) out += plain(c) ? std::string(1, c) : rfs::format("\\{:03o}", static_cast<unsigned>(c));
  return '"' + out + '"';
}

std::string gnuplot_tic(const std::string& text) {
  std::string format;
  for (const char c : text) format += c == '%' ? "%%" : std::string(1, c);
  return gnuplot_text(format);
}

}  // namespace rfs
