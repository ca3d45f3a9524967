#include "rfs/run/eval_engine.h"

#include "rfs/core/error.h"

namespace rfs {

std::unique_ptr<Engine> eval_engine(Decoder& decoder, const EvalOptions& options) {
  const DType dtype = *options.precision == Precision::fp32 ? DType::fp32 : DType::bf16;
  std::string refusal = decoder.device().is_cuda() ? device_refusal() : "the model runs on the CPU";
  if (refusal.empty() && engine_refusal(decoder.spec()).empty()) return std::make_unique<Engine>(decoder, dtype);
  if (refusal.empty()) refusal = kernel_refusal(decoder.spec());
  if (refusal.empty()) {
    decoder.use_kernels(dtype);
  } else if (*options.precision == Precision::bf16) {
    throw Error("eval.precision: cannot use bf16: " + refusal + "; set eval.precision=auto");
  }
  return nullptr;
}

}  // namespace rfs
