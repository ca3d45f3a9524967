#pragma once

#include "rfs/interchange/family.h"
#include "rfs/interchange/gguf.h"
#include "rfs/interchange/gguf_tokenizer.h"

namespace rfs {

/// A model for llama.cpp's architecture of its family. `weights` has the names of rfs. Throws an Error that starts with
/// `where` if llama.cpp cannot compute the model.
GgufFile gguf_file(const ModelFamily& family, const CheckpointConfig& config, const TensorFile& weights,
                   const GgufTokenizer& tokenizer, const std::string& name, const std::string& where);

}  // namespace rfs
