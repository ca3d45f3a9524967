#pragma once

#include <memory>

#include "rfs/engine/engine.h"
#include "rfs/eval/options.h"

namespace rfs {

/// The engine that evaluates a decoder in the precision that eval.precision asks for; null where the decoder itself
/// does, on the kernels where it can. Throws Error where bf16 is asked for and neither can run.
std::unique_ptr<Engine> eval_engine(Decoder& decoder, const EvalOptions& options);

}  // namespace rfs
