#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "rfs/run/generation.h"

namespace rfs {

/// The prompts of a file: its lines, or the "prompt" of each line if its name ends with .jsonl. Throws an Error that
/// names the line.
std::vector<std::string> read_prompts(const std::filesystem::path& file);

/// A file of prompts to continue.
struct PromptsRequest {
  std::string file;
  std::string out;     ///< for the texts, as JSON lines; empty: they are shown
  int64_t batch = 16;  ///< prompts to continue at the same time
};

/// Continues each prompt of a file: one JSON line for each, in their order. With an `out`, the lines of finished
/// batches are kept in OUT.part, and a stopped request resumes there; OUT appears when all is done. Without, `show`
/// gets them, and returns false if nobody wants more. Returns false if it was stopped. Throws Error.
bool generate_prompts(const Generation& generation, const GenerateOptions& options, const PromptsRequest& request,
                      const RunContext& context, const std::function<bool(const std::string& line)>& show);

}  // namespace rfs
