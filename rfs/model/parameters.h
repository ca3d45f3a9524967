#pragma once

#include <torch/types.h>

#include <optional>
#include <string>
#include <vector>

namespace rfs {

/// Named parameters as views of one flat buffer, and their gradients as views of another. So an optimizer step, a norm
/// or a copy is one operation. Parameters with weight decay come first, so that decay applies to one range.
class Parameters {
 public:
  /// A parameter to create.
  struct Spec {
    std::string name;
    std::vector<int64_t> shape;
    std::optional<bool> decays = {};  ///< if not set: matrices decay, vectors (norms, biases) do not
    /// For a hidden matrix: the number of rows of each matrix that is stacked in it. Empty for all other parameters.
    std::vector<int64_t> stacked = {};

    bool has_decay() const { return decays.value_or(shape.size() > 1); }  ///< true if weight decay applies to it
  };
  /// A parameter.
  struct Item {
    std::string name;
    torch::Tensor tensor;  ///< a leaf that requires grad; its grad() is a view of gradient()
  };

  Parameters(std::vector<Spec> specs, torch::Dtype dtype, torch::Device device = torch::kCPU);

  const torch::Tensor& operator[](const std::string& name) const;
  const std::vector<Item>& items() const { return items_; }  ///< all parameters
  /// Spec::stacked of an item.
  const std::vector<int64_t>& stacked(size_t item) const { return stacked_[item]; }
  int64_t size() const { return flat_.numel(); }  ///< number of elements of all parameters
  int64_t decayed() const { return decayed_; }    ///< number of leading elements with weight decay

  const torch::Tensor& flat() const { return flat_; }          ///< all weights
  const torch::Tensor& gradient() const { return gradient_; }  ///< all gradients

 private:
  std::vector<Item> items_;
  std::vector<std::vector<int64_t>> stacked_;
  torch::Tensor flat_, gradient_;
  int64_t decayed_ = 0;
};

}  // namespace rfs
