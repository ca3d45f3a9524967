#pragma once

#include <memory>

#include "rfs/engine/engine.h"
#include "rfs/eval/options.h"

namespace rfs {

/// The engine that evaluates a decoder in the precision of eval.precision. Null if the decoder evaluates itself; it
/// then uses the kernels if it can. Throws Error if bf16 is requested and neither engine nor kernels can run.
std::unique_ptr<Engine> eval_engine(Decoder& decoder, const EvalOptions& options);

}  // namespace rfs
