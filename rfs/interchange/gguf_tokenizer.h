#pragma once

#include <string>
#include <utility>
#include <vector>

#include "rfs/interchange/checkpoint.h"
#include "rfs/interchange/gguf.h"
#include "rfs/interchange/tokenizer_files.h"

namespace rfs {

/// A tokenizer as metadata of a GGUF file.
struct GgufTokenizer {
  std::vector<std::pair<std::string, GgufFile::Value>> metadata;
  std::string refusal;  ///< why llama.cpp does not have this tokenizer; empty if it has. `metadata` then says "none"
};

/// The tokenizer of a model with this config, if llama.cpp has it: a byte-level BPE with the splits of GPT-2, Llama 3,
/// Qwen 2 or SmolLM, or SentencePiece's BPE. llama.cpp does not normalize (NFC), and it adds its first space even to a
/// text that begins with one. Throws Error for a file that cannot be read.
GgufTokenizer gguf_tokenizer(const TokenizerFiles& files, const CheckpointConfig& config);

}  // namespace rfs
