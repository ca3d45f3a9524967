#pragma once

namespace rfs {

/// Selects the implementation of an operation. `automatic` uses the fused one if it supports the input. `fused` throws
/// if it does not, so that no benchmark times the wrong path. `reference` is the specification.
enum class Backend { automatic, reference, fused };

}  // namespace rfs
