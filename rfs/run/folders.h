#pragma once

#include <filesystem>
#include <functional>

namespace rfs {

/// Throws Error where `path` is there already, unless it is an empty folder.
void require_new(const std::filesystem::path& path);

/// Each throws Error where `path` is a folder with files that are none of ours: it must be new, empty, or
///   a run,
///   a sweep: it has runs at most `levels` below,
///   a report: it has a figure.
void require_run_folder(const std::filesystem::path& path);
void require_sweep_folder(const std::filesystem::path& path, int levels);
void require_report_folder(const std::filesystem::path& path);

/// Throws Error where `path` is, or lies in, the folder of a run (other than its own, for a run) or of a corpus.
void require_apart(const std::filesystem::path& path, bool for_a_run);

/// Makes a folder that is either whole or not there: `fill` writes into one beside it, which is renamed at the end.
/// What `fill` throws goes on after everything was removed.
void make_folder(const std::filesystem::path& path, const std::function<void(const std::filesystem::path&)>& fill);

}  // namespace rfs
