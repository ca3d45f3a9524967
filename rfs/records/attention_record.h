#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "rfs/records/provenance.h"

namespace rfs {

/// What each head of a model looks at, for one sample of some lengths: attention.json.
struct AttentionRecord {
  struct Sample {
    int64_t length = 0;
    bool trained = false;
    std::vector<std::string> tokens;                ///< that the model reads, as text
    std::vector<std::string> expected, predicted;   ///< the tokens that should, and would, follow the last ones
    std::vector<std::vector<float>> positions;      ///< of the tokens, on each position track
    std::vector<std::vector<std::string>> weights;  ///< by layer and head, as packed_weights makes them
  };
  int64_t layers = 0, heads = 0;
  std::vector<int64_t> tracks;                             ///< each layer's position track
  std::vector<std::pair<float, float>> trained_positions;  ///< of each track: lowest and highest of long training rows
  std::vector<Sample> samples;
  Provenance provenance;
};

/// The name of its file in a run's folder.
constexpr const char* attention_file = "attention.json";

/// The weights of a query and the keys up to it, query after query, each as two hexadecimal digits of 255 * weight.
std::string packed_weights(const std::vector<double>& weights);

/// Writes the file atomically. Throws Error.
void write_attention_record(const std::filesystem::path& file, const AttentionRecord& record);
/// Reads it and checks that its sizes agree. Throws Error.
AttentionRecord read_attention_record(const std::filesystem::path& file);

}  // namespace rfs
