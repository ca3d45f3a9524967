#pragma once

#include <array>
#include <string_view>

namespace rfs {

/// What stands between the two products of a feed-forward part. GELU is its tanh form.
enum class FeedForward { relu, gelu, swiglu, geglu };
constexpr auto enum_names(FeedForward) {
  return std::array<std::string_view, 4>{"relu", "gelu", "swiglu", "geglu"};
}
/// Whether the hidden layer is act(gate) * up, of two maps of the input.
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
