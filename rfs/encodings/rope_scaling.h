#pragma once

#include <array>
#include <string_view>

namespace rfs {

/// How RoPE's frequencies change for inputs beyond the trained length n0, with a factor s. Most users set this for a
/// test only; models may also be trained with it.
enum class RopeScaling {
  none,
  linear,       ///< frequency / s
  ntk,          ///< base * s^(R / (R - 2)), R rotated dims
  dynamic_ntk,  ///< the same with s n / n0 - (s - 1) instead of s for an input of n > n0 tokens; n0 and below:
                ///< unchanged
  yarn,         ///< between `linear` and `none` by wavelength; rotated dims times .1 ln s + 1
  longrope,     ///< frequency / factor, one factor per pair; rotated dims times sqrt(1 + ln s / ln n0)
  llama3,       ///< `linear` for pairs that rotate less than once within n0 tokens, `none` for those that rotate more
                ///< than 4 times, between them in proportion to the rotations
};
constexpr auto enum_names(RopeScaling) {
  return std::array<std::string_view, 7>{"none", "linear", "ntk", "dynamic_ntk", "yarn", "longrope", "llama3"};
}

}  // namespace rfs
