#pragma once

#include <torch/types.h>

#include <string>
#include <vector>

namespace rfs {

/// Named parameters as views of one flat buffer, gradients as views of another: an optimizer, a norm or a copy is one
/// operation. Matrices come first, vectors (norms, biases) after, so that weight decay is a range.
class Parameters {
 public:
  struct Spec {
    std::string name;
    std::vector<int64_t> shape;
  };
  struct Item {
    std::string name;
    torch::Tensor tensor;  ///< a leaf that requires a gradient; its grad() is a view of gradient()
  };

  Parameters(std::vector<Spec> specs, torch::Dtype dtype, torch::Device device = torch::kCPU);

  const torch::Tensor& operator[](const std::string& name) const;
  const std::vector<Item>& items() const { return items_; }
  int64_t size() const { return flat_.numel(); }
  int64_t matrices() const { return matrices_; }  ///< how many elements come first and are decayed

  const torch::Tensor& flat() const { return flat_; }
  const torch::Tensor& gradient() const { return gradient_; }

 private:
  std::vector<Item> items_;
  torch::Tensor flat_, gradient_;
  int64_t matrices_ = 0;
};

}  // namespace rfs
