#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rfs/corpus/manifest.h"
#include "rfs/run/events.h"

namespace rfs {

/// The arguments of `rfs corpus`.
struct CorpusArguments {
  std::string folder;
  std::vector<std::string> inputs, assignments;
  std::string documents = "auto", separator = "<|endoftext|>", field = "text";
  double validation = 0.005;
  int64_t seed = 1, shard_tokens = int64_t{1} << 25, samples = 3, threads = 0;
  bool check = false;
};

/// Returns false if it was stopped.
bool make_corpus(const CorpusArguments& arguments, const RunContext& context);
void show_corpus(const CorpusArguments& arguments);

/// Prints the documents and tokens of each split, and the numbers of skipped documents.
void print_counts(const Manifest& manifest);

}  // namespace rfs
