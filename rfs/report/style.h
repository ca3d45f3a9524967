#pragma once

#include <string>

namespace rfs {

/// How a method looks in every figure: told apart by colour (Okabe and Ito's set and darker or lighter relatives), and
/// in grey by dash and marker.
struct MethodStyle {
  std::string label;   ///< "RoPE, RFS"
  std::string colour;  ///< "#rrggbb"
  std::string dash;    ///< gnuplot's dash type
  int point = 7;       ///< gnuplot's point type
};

/// The method of an encoding and an indexing, as it is known below: "rope-rfs".
std::string method_key(const std::string& encoding, const std::string& positions);

/// The style of a method of the paper (experiments/methods.toml); one that is not known gets that of a series.
MethodStyle method_style(const std::string& method, size_t index);

/// The style of the i-th series of a report, and its colour, as "#rrggbb".
MethodStyle series_style(const std::string& name, size_t index);
std::string series_colour(size_t index);

}  // namespace rfs
