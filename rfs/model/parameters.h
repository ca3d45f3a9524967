#pragma once

#include <torch/types.h>

#include <optional>
#include <string>
#include <vector>

namespace rfs {

/// Named parameters as views of one flat buffer, gradients as views of another: an optimizer, a norm or a copy is one
/// operation. Those with weight decay come first, so that it acts on a range.
class Parameters {
 public:
  struct Spec {
    std::string name;
    std::vector<int64_t> shape;
    std::optional<bool> decays = {};  ///< nothing: matrices do, vectors (norms, biases) do not
    /// Of a hidden matrix: the rows of each of the matrices that are stacked in it; empty for other parameters.
    std::vector<int64_t> stacked = {};

    bool has_decay() const { return decays.value_or(shape.size() > 1); }
  };
  struct Item {
    std::string name;
    torch::Tensor tensor;  ///< a leaf that requires a gradient; its grad() is a view of gradient()
  };

  Parameters(std::vector<Spec> specs, torch::Dtype dtype, torch::Device device = torch::kCPU);

  const torch::Tensor& operator[](const std::string& name) const;
  const std::vector<Item>& items() const { return items_; }
  /// Spec::stacked of an item.
  const std::vector<int64_t>& stacked(size_t item) const { return stacked_[item]; }
  int64_t size() const { return flat_.numel(); }
  int64_t decayed() const { return decayed_; }  ///< how many elements come first and have weight decay

  const torch::Tensor& flat() const { return flat_; }
  const torch::Tensor& gradient() const { return gradient_; }

 private:
  std::vector<Item> items_;
  std::vector<std::vector<int64_t>> stacked_;
  torch::Tensor flat_, gradient_;
  int64_t decayed_ = 0;
};

}  // namespace rfs
