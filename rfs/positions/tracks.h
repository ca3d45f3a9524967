#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rfs/positions/indexing.h"

namespace rfs {

/// The indexings whose positions a model reads: one for most models, several where its kinds of layers differ in them.
class PositionTracks {
 public:
  using Rows = std::vector<std::vector<float>>;  ///< one list of positions per track

  /// One track of an indexing that outlives this.
  PositionTracks(const PositionIndexing& only) : tracks_{{std::shared_ptr<void>(), &only}} {}
  explicit PositionTracks(std::vector<std::shared_ptr<const PositionIndexing>> tracks) : tracks_(std::move(tracks)) {}

  size_t size() const { return tracks_.size(); }
  const PositionIndexing& operator[](size_t track) const { return *tracks_[track]; }

  /// The stream of a track: the first has the purpose's own name, so that a model of one track draws as it always did.
  static std::string purpose(const std::string& name, size_t track);

  /// Positions of the training row number `sample` of so many tokens, under a run's seed.
  Rows train(uint64_t seed, uint64_t sample, int64_t trained, int64_t tokens) const;
  /// Positions of the first `count` tokens of an inference row of `input` tokens.
  Rows infer(uint64_t seed, uint64_t sample, int64_t trained, int64_t input, int64_t count) const;

 private:
  std::vector<std::shared_ptr<const PositionIndexing>> tracks_;
};

}  // namespace rfs
