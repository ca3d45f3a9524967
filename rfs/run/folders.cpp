#include "rfs/run/folders.h"

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/core/temporary.h"
#include "rfs/records/run.h"
#include "rfs/report/gnuplot.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

/// True if there is a run at most `levels` below the folder.
bool runs_below(const fs::path& folder, int levels) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (!entry.is_directory(ignored)) continue;
    if (Run(entry.path()).exists() || (levels > 1 && runs_below(entry.path(), levels - 1))) return true;
  }
  return false;
}

}  // namespace

void require_new(const fs::path& path) {
  std::error_code ignored;
  if (fs::symlink_status(path, ignored).type() == fs::file_type::not_found) return;
  if (!fs::is_directory(path, ignored) || !fs::is_empty(path, ignored)) {
    throw Error(rfs::format("{}: already exists; choose another name or remove it", path.string()));
  }
  if (fs::equivalent(path, fs::current_path(), ignored)) {  // the current folder cannot be replaced by the finished one
    throw Error(rfs::format("{}: is the current folder; name a new one", path.string()));
  }
}

void require_run_folder(const fs::path& path) {
  const std::string entry = first_entry(path);
  if (entry.empty() || Run(path).exists()) return;
  throw Error(
      rfs::format("{}: holds '{}' and is not a run; choose a new or empty folder", path.string(), shortened(entry)));
}

void require_sweep_folder(const fs::path& path, int levels) {
  const std::string entry = first_entry(path);
  if (entry.empty() || runs_below(path, levels)) return;
  throw Error(rfs::format("{}: holds '{}' and no runs; choose a new or empty folder", path.string(), shortened(entry)));
}

void require_report_folder(const fs::path& path) {
  const std::string entry = first_entry(path);
  if (entry.empty() || has_figure(path)) return;
  throw Error(
      rfs::format("{}: holds '{}' and no report; choose a new or empty folder", path.string(), shortened(entry)));
}

void require_apart(const fs::path& path, bool for_a_run) {
  std::error_code ignored;
  // A folder with only settings is not a run: a user may have written them, next to the folder `runs`.
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
    throw Error(rfs::format("{}: {} the folder of {}; choose another folder", path.string(),
                            itself ? "is" : "is inside", run ? "a run" : "a corpus"));
  }
}

void make_folder(const fs::path& path, const std::function<void(const fs::path&)>& fill) {
  fs::path whole = path.lexically_normal();
  if (!whole.has_filename()) whole = whole.parent_path();  // "folder/"
  const Ephemeral part(temporary_path(whole));
  std::error_code ignored;
  require_writable(whole.has_parent_path() ? whole.parent_path() : ".");
  fs::remove_all(part.path(), ignored);  // left by an earlier process with the same process id
  require_writable(part.path());
  fill(part.path());
  require_new(whole);  // another process may have created it in the meantime
  fs::rename(part.path(), whole);
}

}  // namespace rfs
