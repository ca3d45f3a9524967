#pragma once

#include <memory>

#include "rfs/engine/engine.h"
#include "rfs/eval/options.h"

namespace rfs {

/// Switches a decoder to the GPU's kernels if they support it, in the precision of eval.precision. Throws Error if bf16
/// is requested and the kernels cannot run.
void use_eval_kernels(Decoder& decoder, const EvalOptions& options);

/// Does the same. Returns the engine that evaluates the decoder; null if the decoder evaluates itself.
std::unique_ptr<Engine> eval_engine(Decoder& decoder, const EvalOptions& options);

}  // namespace rfs
