#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rfs/core/registry.h"
#include "rfs/text/tokenizer.h"

namespace rfs {

/// GPT-2's byte-level BPE as published, which other programs can read, too.
struct Bpe {
  std::string encoder, merges;           ///< contents of encoder.json and vocab.bpe
  std::vector<std::string> tokens;       ///< by id, in GPT-2's byte characters
  std::vector<std::string> merge_lines;  ///< "left right", in order of priority
};

/// The files of a run's tokenizer, if other programs have it.
struct TokenizerFiles {
  std::optional<Bpe> bpe;                     ///< of the tokenizer gpt2
  std::map<std::string, std::string> copied;  ///< of the tokenizer hf: tokenizer.json and what is beside it
  std::string tokenizer_json;                 ///< of the tokenizer hf: the path of tokenizer.json

  bool empty() const { return !bpe && copied.empty(); }
  /// Name and content of each file that `transformers` needs, for a model that reads up to `tokens` tokens.
  std::map<std::string, std::string> hf(int64_t tokens) const;
};

/// Throws Error if a file cannot be read.
TokenizerFiles tokenizer_files(const Choice<Tokenizer>& tokenizer);

}  // namespace rfs
