#pragma once

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

/// The files of a run's tokenizer; empty for tokenizers that other programs do not have. Throws Error.
std::optional<Bpe> bpe_files(const Choice<Tokenizer>& tokenizer);

}  // namespace rfs
