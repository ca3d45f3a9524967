#include "rfs/records/attention_record.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/records/record_file.h"

namespace rfs {

using Json = nlohmann::json;

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(AttentionRecord::Sample, length, trained, tokens, expected, predicted, positions,
                                   weights)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(AttentionRecord, layers, heads, tracks, trained_positions, samples, provenance)

namespace {

/// Throws Error if sizes do not agree; the page relies on them.
void check(const AttentionRecord& record, const std::string& where) {
  const auto require = [&](bool right, const char* what) {
    if (!right) throw Error(rfs::format("{}: {} do not fit together; make it again: rfs attention", where, what));
  };
  require_counts(where, {{"layers", record.layers}, {"heads", record.heads}});
  require(record.tracks.size() == static_cast<size_t>(record.layers), "layers and tracks");
  require(!record.samples.empty(), "samples");
  for (const auto& sample : record.samples) {
    const size_t tokens = sample.tokens.size();
    require(sample.expected.size() <= tokens && sample.predicted.size() == sample.expected.size(), "tokens");
    require(sample.positions.size() == record.trained_positions.size() &&
                std::all_of(sample.positions.begin(), sample.positions.end(),
                            [&](const auto& track) { return track.size() == tokens; }),
            "tokens and positions");
    for (const int64_t track : record.tracks) {
      require(track >= 0 && static_cast<size_t>(track) < sample.positions.size(), "tracks and positions");
    }
    require(sample.weights.size() == static_cast<size_t>(record.layers), "layers and weights");
    for (const auto& layer : sample.weights) {
      require(layer.size() == static_cast<size_t>(record.heads), "heads and weights");
      for (const auto& head : layer) require(head.size() == tokens * (tokens + 1), "tokens and weights");
    }
  }
}

}  // namespace

std::string packed_weights(const std::vector<double>& weights) {
  std::string text;
  for (const double weight : weights) {
    text += rfs::format("{:02x}", static_cast<int>(std::lround(255 * std::clamp(weight, 0.0, 1.0))));
  }
  return text;
}

void write_attention_record(const std::filesystem::path& file, const AttentionRecord& record) {
  write_file(file, Json(record).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

AttentionRecord read_attention_record(const std::filesystem::path& file) {
  AttentionRecord record;
  read_record(file, [&](const std::string& text) { record = Json::parse(text).get<AttentionRecord>(); });
  check(record, file.string());
  return record;
}

}  // namespace rfs
