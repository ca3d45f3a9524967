#pragma once

#include <vector>

#include "rfs/core/random.h"
#include "rfs/model/batch.h"

namespace rfs {

/// Rows of several lengths, with different positions on each track.
inline Batch some_rows(size_t tracks) {
  static std::vector<std::vector<int32_t>> sequences;
  sequences.clear();
  Stream stream(5, "contract");
  std::vector<std::vector<float>> positions(tracks);
  std::vector<Row> rows;
  for (const size_t length : {7u, 2u, 12u}) {
    auto& sequence = sequences.emplace_back();
    for (size_t i = 0; i < length; ++i) sequence.push_back(static_cast<int32_t>(stream.below(13)));
    for (size_t track = 0; track < tracks; ++track) {
      float position = 0;
      for (size_t i = 0; i + 1 < length; ++i) {
        positions[track].push_back(position +=
                                   static_cast<float>(track + 1) * static_cast<float>(stream.exponential()));
      }
    }
  }
  for (const auto& sequence : sequences) rows.push_back(sequence_row(sequence, 1));
  return pack(rows, positions);
}

}  // namespace rfs
