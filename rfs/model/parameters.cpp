#include "rfs/model/parameters.h"

#include <algorithm>
#include <numeric>

namespace rfs {

Parameters::Parameters(std::vector<Spec> specs, torch::Dtype dtype, torch::Device device) {
  std::stable_partition(specs.begin(), specs.end(), [](const Spec& spec) { return spec.has_decay(); });
  const auto count = [](const Spec& spec) {
    return std::accumulate(spec.shape.begin(), spec.shape.end(), int64_t{1}, std::multiplies<>());
  };
  int64_t total = 0;
  for (const Spec& spec : specs) {
    total += count(spec);
    if (spec.has_decay()) decayed_ = total;
  }
  flat_ = torch::zeros({total}, torch::dtype(dtype).device(device));
  gradient_ = torch::zeros_like(flat_);
  int64_t begin = 0;
  for (const Spec& spec : specs) {
    auto view = flat_.narrow(0, begin, count(spec)).view(spec.shape).detach().requires_grad_();
    view.mutable_grad() = gradient_.narrow(0, begin, count(spec)).view(spec.shape);
    items_.push_back({spec.name, view});
    stacked_.push_back(spec.stacked);
    begin += count(spec);
  }
}

const torch::Tensor& Parameters::operator[](const std::string& name) const {
  const auto it = std::find_if(items_.begin(), items_.end(), [&](const Item& item) { return item.name == name; });
  TORCH_CHECK(it != items_.end(), "no parameter ", name);
  return it->tensor;
}

}  // namespace rfs
