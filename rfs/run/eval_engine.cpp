#include "rfs/run/eval_engine.h"

#include "rfs/core/error.h"

namespace rfs {
namespace {

DType eval_dtype(const EvalOptions& options) {
  return *options.precision == Precision::fp32 ? DType::fp32 : DType::bf16;
}

std::string no_gpu(const Decoder& decoder) {
  return decoder.device().is_cuda() ? device_refusal() : "the model runs on the CPU";
}

}  // namespace

void use_eval_kernels(Decoder& decoder, const EvalOptions& options) {
  std::string refusal = no_gpu(decoder);
  if (refusal.empty()) refusal = kernel_refusal(decoder.spec());
  if (refusal.empty()) {
    decoder.use_kernels(eval_dtype(options));
  } else if (*options.precision == Precision::bf16) {
    throw Error("eval.precision: cannot use bf16: " + refusal + "; set eval.precision=auto");
  }
}

std::unique_ptr<Engine> eval_engine(Decoder& decoder, const EvalOptions& options) {
  use_eval_kernels(decoder, options);
  if (!no_gpu(decoder).empty() || !engine_refusal(decoder.spec()).empty()) return nullptr;
  return std::make_unique<Engine>(decoder, eval_dtype(options));
}

}  // namespace rfs
