#include "rfs/run/eval_engine.h"

#include "rfs/core/error.h"

namespace rfs {

std::unique_ptr<Engine> eval_engine(const Decoder& decoder, const EvalOptions& options) {
  const bool bf16 = *options.precision == Precision::bf16;
  const std::string refusal = decoder.device().is_cuda() ? engine_refusal(decoder.spec()) : "it runs on the CPU";
  if (refusal.empty()) return std::make_unique<Engine>(decoder, bf16 ? DType::bf16 : DType::fp32);
  if (bf16) throw Error("eval.precision: must be fp32 or auto where the engine cannot run (" + refusal + "), got bf16");
  return nullptr;
}

}  // namespace rfs
