#pragma once

#include <string>
#include <vector>

#include "rfs/report/series.h"

namespace rfs {

/// The results of decoding at one length: means over seeds.
struct DecodedLength {
  int64_t length = 0;
  double token_accuracy = 0;
  double similarity = 0;  ///< 1 - normalised edit distance
  int64_t samples = 0;    ///< over all seeds
};
/// In order of length; empty if nothing was decoded.
std::vector<DecodedLength> decoded_lengths(const Series& series);

/// True if any series has decoded answers.
bool any_decoded(const std::vector<Series>& series);

/// The wrong answers on untrained lengths by the kind of their first mistake: a header, then one row per series with
/// decoded answers.
std::vector<std::vector<std::string>> mistake_rows(const std::vector<Series>& series);
/// The same as Markdown with a caption; "" if nothing was decoded.
std::string mistake_table(const std::vector<Series>& series);

}  // namespace rfs
