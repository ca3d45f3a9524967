#pragma once

#include <array>
#include <string_view>

namespace rfs {

/// The activation between the two matmuls of a feed-forward block. `gelu` and
/// `geglu` are the tanh approximation of GELU; `gelu_erf` is GELU itself.
enum class FeedForward { relu, gelu, swiglu, geglu, gelu_erf };
constexpr auto enum_names(FeedForward) {
  return std::array<std::string_view, 5>{"relu", "gelu", "swiglu", "geglu", "gelu_erf"};
}
/// True if the hidden layer is act(gate) * up, with two linear maps of the input.
constexpr bool is_gated(FeedForward kind) {
  switch (kind) {
    case FeedForward::relu:
    case FeedForward::gelu:
    case FeedForward::gelu_erf:
      return false;
    case FeedForward::swiglu:
    case FeedForward::geglu:
      return true;
  }
  return false;
}

}  // namespace rfs
