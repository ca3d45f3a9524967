#pragma once

#include <array>
#include <string_view>

namespace rfs {

/// The activation between the two matmuls of a feed-forward block. GELU is the tanh approximation.
enum class FeedForward { relu, gelu, swiglu, geglu };
constexpr auto enum_names(FeedForward) {
  return std::array<std::string_view, 4>{"relu", "gelu", "swiglu", "geglu"};
}
/// True if the hidden layer is act(gate) * up, with two linear maps of the input.
constexpr bool is_gated(FeedForward kind) {
  switch (kind) {
    case FeedForward::relu:
    case FeedForward::gelu:
      return false;
    case FeedForward::swiglu:
    case FeedForward::geglu:
      return true;
  }
  return false;
}

}  // namespace rfs
