#pragma once

#include <string>

#include "rfs/records/run.h"
#include "rfs/text/tokenizer.h"

namespace rfs {

class Decoder;

/// Throws Error where the run is not trained; `what` is to be done with it: "it is scored".
void require_trained(const Run& run, const std::string& what);

/// The only run at or below a folder, trained. Throws Error.
Run trained_run(const std::string& folder, const std::string& what);

/// Throws Error where a model was trained on other ids than its settings' tokenizer, `use`, gives; `path` is its file.
void require_same_ids(const Tokenizer& tokenizer, const std::string& use, const Decoder& decoder,
                      const std::string& path);

}  // namespace rfs
