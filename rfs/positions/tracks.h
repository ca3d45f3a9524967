#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rfs/positions/groups.h"
#include "rfs/positions/indexing.h"

namespace rfs {

/// The indexings of a model: one for most models, several if its layer kinds use different ones.
class PositionTracks {
 public:
  using Rows = std::vector<std::vector<float>>;  ///< one list of positions per track

  /// A single track; the indexing must outlive this object.
  PositionTracks(const PositionIndexing& only) : tracks_{{std::shared_ptr<void>(), &only}} {}
  explicit PositionTracks(std::vector<std::shared_ptr<const PositionIndexing>> tracks) : tracks_(std::move(tracks)) {}

  size_t size() const { return tracks_.size(); }                                      ///< number of tracks
  const PositionIndexing& operator[](size_t track) const { return *tracks_[track]; }  ///< a track's indexing

  /// Name of a track's random stream. The first track uses `name` itself, so a model with one track draws the same
  /// numbers as before there were tracks.
  static std::string purpose(const std::string& name, size_t track);

  /// True if an indexing uses groups of tokens.
  bool uses_groups() const;
  /// The groups of rows, for indexings that use them.
  void set_groups(std::shared_ptr<const TokenGroups> groups) { groups_ = std::move(groups); }

  /// Positions of training row `sample` with `tokens` tokens, under a run's seed. `row` are its tokens.
  Rows train(uint64_t seed, uint64_t sample, int64_t trained, int64_t tokens, std::span<const int32_t> row = {}) const;
  /// Positions of the first `count` tokens of an inference row of `input` tokens. `row` are its tokens so far.
  Rows infer(uint64_t seed, uint64_t sample, int64_t trained, int64_t input, int64_t count,
             std::span<const int32_t> row = {}) const;

 private:
  std::vector<std::shared_ptr<const PositionIndexing>> tracks_;
  std::shared_ptr<const TokenGroups> groups_;  ///< may be null
};

}  // namespace rfs
