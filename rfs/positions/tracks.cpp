#include "rfs/positions/tracks.h"

#include <algorithm>

namespace rfs {

std::string PositionTracks::purpose(const std::string& name, size_t track) {
  return track == 0 ? name : name + " " + std::to_string(track);
}

bool PositionTracks::uses_groups() const {
  return std::any_of(tracks_.begin(), tracks_.end(), [](const auto& track) { return track->uses_groups(); });
}

PositionTracks::Rows PositionTracks::train(uint64_t seed, uint64_t sample, int64_t trained, int64_t tokens,
                                           std::span<const int32_t> row) const {
  Rows rows(size(), std::vector<float>(static_cast<size_t>(tokens)));
  for (size_t track = 0; track < size(); ++track) {
    Stream stream(seed, purpose("positions", track), sample);
    if (groups_ && !row.empty() && tracks_[track]->uses_groups()) {
      tracks_[track]->train_groups(stream, trained, groups_->groups(row, tokens), rows[track]);
    } else {
      tracks_[track]->train(stream, trained, rows[track]);
    }
  }
  return rows;
}

PositionTracks::Rows PositionTracks::infer(uint64_t seed, uint64_t sample, int64_t trained, int64_t input,
                                           int64_t count, std::span<const int32_t> row) const {
  Rows rows(size(), std::vector<float>(static_cast<size_t>(count)));
  for (size_t track = 0; track < size(); ++track) {
    Stream stream(seed, purpose("inference positions", track), sample);
    if (groups_ && !row.empty() && tracks_[track]->uses_groups()) {
      tracks_[track]->infer_groups(stream, trained, groups_->groups(row, std::max(input, count)), rows[track]);
    } else {
      tracks_[track]->infer(stream, trained, input, rows[track]);
    }
  }
  return rows;
}

}  // namespace rfs
