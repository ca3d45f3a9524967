#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "rfs/records/provenance.h"

namespace rfs {

/// A comparison of one model's position policies for growing texts: policies.json.
struct PolicyRecord {
  /// One policy on texts of more than `begin` and at most `end` tokens.
  struct Part {
    std::string policy;
    int64_t begin = 0, end = 0;
    int64_t tokens = 0;  ///< predicted tokens
    int64_t agree = 0;   ///< predictions whose most likely token is the same as under `current`
    int64_t passes = 0;  ///< forward passes over the whole text
    double loss = 0;     ///< mean loss on the texts' actual next tokens
    double seconds = 0;
  };
  int64_t texts = 0, trained_length = 0;
  std::vector<Part> parts;  ///< by policy, `current` first, then by length
  std::string settings;     ///< as TOML
  Provenance provenance;
};

/// Writes atomically. Throws Error.
void write_policies(const std::filesystem::path& file, const PolicyRecord& record);
/// Throws Error.
PolicyRecord read_policies(const std::filesystem::path& file);

}  // namespace rfs
