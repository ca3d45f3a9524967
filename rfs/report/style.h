#pragma once

#include <string>

namespace rfs {

/// The look of a method in every figure. Methods differ in colour (Okabe and Ito's palette with darker and lighter
/// variants), and in dash and marker for greyscale.
struct MethodStyle {
  std::string label;   ///< "RoPE, RFS"
  std::string colour;  ///< "#rrggbb"
  std::string dash;    ///< gnuplot's dash type
  int point = 7;       ///< gnuplot's point type
};

/// The name of a task in figures and tables: "Copy".
std::string task_title(const std::string& task);

/// The method name for an encoding and an indexing, as used below: "rope-rfs".
std::string method_key(const std::string& encoding, const std::string& positions);

/// The style of one of the paper's methods (experiments/methods.toml); an unknown method gets a series style.
MethodStyle method_style(const std::string& method, size_t index);

/// The style of the i-th series of a report; its colour as "#rrggbb".
MethodStyle series_style(const std::string& name, size_t index);
std::string series_colour(size_t index);

}  // namespace rfs
