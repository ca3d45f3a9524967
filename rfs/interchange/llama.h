#pragma once

#include <optional>

#include "rfs/interchange/gguf.h"
#include "rfs/interchange/neox.h"
#include "rfs/interchange/tokenizer_files.h"

namespace rfs {

/// A model as llama.cpp's architecture `gptneox` reads it. `weights` are ours, by our names. Without a tokenizer the
/// file says that there is none: it then takes ids.
GgufFile llama_file(const NeoxConfig& config, const TensorFile& weights, const std::optional<Bpe>& bpe,
                    const std::string& name);

}  // namespace rfs
