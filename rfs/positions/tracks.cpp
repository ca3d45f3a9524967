#include "rfs/positions/tracks.h"

namespace rfs {

std::string PositionTracks::purpose(const std::string& name, size_t track) {
  return track == 0 ? name : name + " " + std::to_string(track);
}

PositionTracks::Rows PositionTracks::train(uint64_t seed, uint64_t sample, int64_t trained, int64_t tokens) const {
  Rows rows(size(), std::vector<float>(static_cast<size_t>(tokens)));
  for (size_t track = 0; track < size(); ++track) {
    Stream stream(seed, purpose("positions", track), sample);
    tracks_[track]->train(stream, trained, rows[track]);
  }
  return rows;
}

PositionTracks::Rows PositionTracks::infer(uint64_t seed, uint64_t sample, int64_t trained, int64_t input,
                                           int64_t count) const {
  Rows rows(size(), std::vector<float>(static_cast<size_t>(count)));
  for (size_t track = 0; track < size(); ++track) {
    Stream stream(seed, purpose("inference positions", track), sample);
    tracks_[track]->infer(stream, trained, input, rows[track]);
  }
  return rows;
}

}  // namespace rfs
