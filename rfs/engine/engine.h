#pragma once

#include <memory>
#include <string>

#include "rfs/model/decoder.h"
#include "rfs/ops/device_rows.h"

namespace rfs {

class DeviceDecoder;

/// Why the engine cannot run such a model, whatever the machine, in a few words; empty where it can. It knows what it
/// computes and refuses everything else.
std::string model_refusal(const ModelSpec& model);
/// Why the engine cannot run on this machine; empty where it can.
std::string device_refusal();
/// Either of the two.
std::string engine_refusal(const ModelSpec& model);
/// Why GPUs of several processes cannot train together in this build, in a few words; empty where they can.
std::string group_refusal();

/// A decoder's weights on a GPU and the fused kernels over them. The reference is Decoder itself.
class Engine : public Predictor {
 public:
  /// Copies the weights. Throws Error where engine_refusal has something to say.
  Engine(const Decoder& decoder, DType dtype);
  /// Shares the weights of a model that is being trained.
  explicit Engine(const DeviceDecoder& decoder);
  ~Engine() override;

  /// Takes the memory of batches of so many tokens now; returns how many bytes it is.
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
  /// One number a target, [M]: what `give` writes after the forward pass.
  template <class T, class Give>
  torch::Tensor of_targets(const Batch& batch, const Give& give) const;
  std::unique_ptr<Inside> inside_;
};

/// The GPU in words, and how many floating-point operations of the engine's kind it could do in a second.
struct Gpu {
  std::string name;
  double flops = 0, bytes = 0;
};
Gpu gpu();

}  // namespace rfs
