#include "new_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/run.h"

namespace rfs {
namespace fs = std::filesystem;

void require_new(const fs::path& path) {
  std::error_code ignored;
  const bool empty_folder = fs::is_directory(path, ignored) && fs::is_empty(path, ignored);
  if (fs::exists(path, ignored) && !empty_folder) {
    throw Error(fmt::format("{}: must not be there yet, got something that would be overwritten", path.string()));
  }
}

void require_apart(const fs::path& path, bool for_a_run) {
  std::error_code ignored;
  // Settings alone are no run: they may be what somebody wrote, beside the folder `runs`.
  const auto is_run = [&](const Run& run) {
    return run.exists() && (run.trained() || fs::exists(run.file("metrics.jsonl"), ignored) ||
                            fs::exists(run.file("checkpoint.safetensors"), ignored));
  };
  const auto is_corpus = [&](const fs::path& folder) {
    return fs::exists(folder / "manifest.json", ignored) && fs::exists(folder / "train-00000.tokens", ignored);
  };
  fs::path at = fs::absolute(path, ignored).lexically_normal();
  if (!at.has_filename()) at = at.parent_path();
  for (bool itself = true; at.has_relative_path(); at = at.parent_path(), itself = false) {
    const bool run = !(itself && for_a_run) && is_run(Run(at));
    if (!run && !is_corpus(at)) continue;
    throw Error(fmt::format("{}: must be a folder of its own, got {} {}", path.string(),
                            itself ? "that of" : "one in that of", run ? "a run" : "a corpus"));
  }
}

void make_folder(const fs::path& path, const std::function<void(const fs::path&)>& fill) {
  fs::path whole = path;
  if (!whole.has_filename()) whole = whole.parent_path();  // "folder/"
  const fs::path part = whole.string() + fmt::format(".{}.part", getpid());
  require_writable(whole.has_parent_path() ? whole.parent_path() : ".");
  require_writable(part);
  try {
    fill(part);
    require_new(whole);  // another process may have made it meanwhile
    fs::rename(part, whole);
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(part, ignored);
    throw;
  }
}

}  // namespace rfs
