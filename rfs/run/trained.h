#pragma once

#include <string>

#include "rfs/records/run.h"
#include "rfs/text/tokenizer.h"

namespace rfs {

class Decoder;

/// Throws Error if the run is not trained. `what` is the planned use: "it is scored".
void require_trained(const Run& run, const std::string& what);

/// The only run at or below a folder, which must be trained. Throws Error.
Run trained_run(const std::string& folder, const std::string& what);

/// Throws Error if the tokenizer `use` does not have the model's vocabulary size. `path` is the model's file.
void require_same_ids(const Tokenizer& tokenizer, const std::string& use, const Decoder& decoder,
                      const std::string& path);

}  // namespace rfs
