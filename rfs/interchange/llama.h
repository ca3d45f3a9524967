#pragma once

#include <optional>

#include "rfs/interchange/gguf.h"
#include "rfs/interchange/neox.h"
#include "rfs/interchange/tokenizer_files.h"

namespace rfs {

/// A model for llama.cpp's architecture `gptneox`. `weights` has the names of rfs. Without a tokenizer, the file says
/// that there is none, and llama.cpp takes token ids.
GgufFile llama_file(const NeoxConfig& config, const TensorFile& weights, const std::optional<Bpe>& bpe,
                    const std::string& name);

}  // namespace rfs
