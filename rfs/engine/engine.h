#pragma once

#include <memory>
#include <string>

#include "rfs/model/decoder.h"
#include "rfs/ops/device_rows.h"

namespace rfs {

class DeviceDecoder;

/// Why the engine cannot run this model on any machine, in a few words; empty if it can. The engine refuses every model
/// that it does not explicitly support.
std::string model_refusal(const ModelSpec& model);
/// Why the engine cannot run on this machine; empty if it can.
std::string device_refusal();
/// Either of the two refusals above; empty if there is none.
std::string engine_refusal(const ModelSpec& model);
/// Why several processes cannot train on GPUs together in this build, in a few words; empty if they can.
std::string group_refusal();

/// A decoder's weights on a GPU, with fused kernels. Decoder is the reference implementation.
class Engine : public Predictor {
 public:
  /// Copies the weights. Throws Error if engine_refusal is not empty.
  Engine(const Decoder& decoder, DType dtype);
  /// Shares the weights of a model that is being trained.
  explicit Engine(const DeviceDecoder& decoder);
  ~Engine() override;

  /// Allocates the memory for batches of `tokens` tokens now. Returns the number of bytes.
  size_t reserve(int64_t tokens);
  torch::Tensor best(const Batch& batch) const override;
  torch::Tensor losses(const Batch& batch) const override;

  struct Gradient {
    double loss = 0;
    torch::Tensor flat;  ///< like Parameters::gradient, on the CPU
  };
  /// The mean loss of a batch and its gradient.
  Gradient gradient(const Batch& batch, const Dropout& dropout) const;

 private:
  struct Inside;
  /// Returns one number per target, [M]: what `give` writes after the forward pass.
  template <class T, class Give>
  torch::Tensor of_targets(const Batch& batch, const Give& give) const;
  std::unique_ptr<Inside> inside_;
};

/// The GPU's name, its peak bf16 floating-point operations per second, and its memory in bytes.
struct Gpu {
  std::string name;
  double flops = 0, bytes = 0;
};
Gpu gpu();

}  // namespace rfs
