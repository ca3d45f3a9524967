#pragma once

#include <memory>

#include "rfs/engine/engine.h"
#include "rfs/eval/options.h"

namespace rfs {

/// The engine that evaluates a decoder in the precision that eval.precision asks for; null where the decoder itself
/// does. Throws Error where bf16 is asked for and the engine cannot run.
std::unique_ptr<Engine> eval_engine(const Decoder& decoder, const EvalOptions& options);

}  // namespace rfs
