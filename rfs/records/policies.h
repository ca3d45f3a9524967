#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "rfs/records/provenance.h"

namespace rfs {

/// How the policies of growing texts compare on one model: policies.json.
struct PolicyRecord {
  /// One policy where a text has more than `begin` and at most `end` tokens.
  struct Part {
    std::string policy;
    int64_t begin = 0, end = 0;
    int64_t tokens = 0;  ///< predicted
    int64_t agree = 0;   ///< of these, those where the likeliest is the one under `current`
    int64_t passes = 0;  ///< runs of the whole text
    double loss = 0;     ///< mean over the texts' own next tokens
    double seconds = 0;
  };
  int64_t texts = 0, trained_length = 0;
  std::vector<Part> parts;  ///< by policy, `current` first, then by length
  std::string settings;     ///< as TOML
  Provenance provenance;
};

void write_policies(const std::filesystem::path& file, const PolicyRecord& record);
/// Throws Error.
PolicyRecord read_policies(const std::filesystem::path& file);

}  // namespace rfs
