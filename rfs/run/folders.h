#pragma once

#include <filesystem>
#include <functional>

namespace rfs {

/// Throws Error if `path` exists, unless it is an empty folder.
void require_new(const std::filesystem::path& path);

/// Each throws Error if `path` is a folder with unrelated files. It must be new, empty, or
///   a run,
///   a sweep: it has runs at most `levels` below,
///   a report: it has a figure.
void require_run_folder(const std::filesystem::path& path);
void require_sweep_folder(const std::filesystem::path& path, int levels);
void require_report_folder(const std::filesystem::path& path);

/// Throws Error if `path` is, or lies in, the folder of a corpus or of a run. With `for_a_run`, `path` itself may be a
/// run.
void require_apart(const std::filesystem::path& path, bool for_a_run);

/// Creates a folder atomically: `fill` writes into a temporary folder next to it, which is renamed at the end. If
/// `fill` throws, everything is removed and the exception is passed on.
void make_folder(const std::filesystem::path& path, const std::function<void(const std::filesystem::path&)>& fill);

}  // namespace rfs
