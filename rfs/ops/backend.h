#pragma once

namespace rfs {

/// Which implementation of an operation runs. `automatic` takes the fused one where it fits. Asking for `fused` where
/// nothing fits throws, so that no benchmark times the wrong path. `reference` is the specification.
enum class Backend { automatic, reference, fused };

}  // namespace rfs
