#include "rfs/positions/tracks.h"

#include <string>

namespace rfs {
namespace {

/// The stream of a track: the first has the purpose's own name, so that a model of one track draws as it always did.
Stream stream_of(uint64_t seed, const std::string& purpose, size_t track, uint64_t sample) {
  return {seed, track == 0 ? purpose : purpose + " " + std::to_string(track), sample};
}

}  // namespace

PositionTracks::Rows PositionTracks::train(uint64_t seed, uint64_t sample, int64_t trained, int64_t tokens) const {
  Rows rows(size(), std::vector<float>(static_cast<size_t>(tokens)));
  for (size_t track = 0; track < size(); ++track) {
    Stream stream = stream_of(seed, "positions", track, sample);
    tracks_[track]->train(stream, trained, rows[track]);
  }
  return rows;
}

PositionTracks::Rows PositionTracks::infer(uint64_t seed, uint64_t sample, int64_t trained, int64_t input,
                                           int64_t count) const {
  Rows rows(size(), std::vector<float>(static_cast<size_t>(count)));
  for (size_t track = 0; track < size(); ++track) {
    Stream stream = stream_of(seed, "inference positions", track, sample);
    tracks_[track]->infer(stream, trained, input, rows[track]);
  }
  return rows;
}

}  // namespace rfs
