#pragma once

#include <filesystem>
#include <string>

#include "rfs/interchange/neox.h"

namespace rfs {

/// config.json of GPTNeoXForCausalLM, in the spelling that transformers 4 writes and 5 reads as well.
std::string hf_config(const NeoxConfig& config);

/// Takes either version's spelling; absent keys have the defaults of `transformers`. Throws Error where the file says
/// something that our decoder does not have or a key that is not known.
NeoxConfig read_hf_config(const std::filesystem::path& path);

}  // namespace rfs
