#pragma once

#include <filesystem>
#include <string>

#include "rfs/interchange/neox.h"

namespace rfs {

/// config.json of GPTNeoXForCausalLM, in the form that transformers 4 writes and 5 also reads.
std::string hf_config(const NeoxConfig& config);

/// Reads the form of either version. Missing keys have the defaults of `transformers`. Throws Error for a feature that
/// rfs does not support and for an unknown key.
NeoxConfig read_hf_config(const std::filesystem::path& path);

}  // namespace rfs
