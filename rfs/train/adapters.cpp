#include "rfs/train/adapters.h"

#include <algorithm>
#include <cmath>

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/core/random.h"
#include "rfs/model/parameter_list.h"

namespace rfs {
namespace {

using torch::Tensor;

std::string name_of_a(const std::string& matrix) {
  return matrix + ".lora_a";
}
std::string name_of_b(const std::string& matrix) {
  return matrix + ".lora_b";
}

std::vector<Parameters::Spec> trained(const ModelSpec& spec, int64_t rank, const std::vector<std::string>& also) {
  std::vector<Parameters::Spec> list;
  for (const auto& parameter : parameter_list(spec)) {
    if (std::find(also.begin(), also.end(), parameter.name) != also.end()) list.push_back(parameter);
    if (parameter.stacked.empty()) continue;
    const auto count = static_cast<int64_t>(parameter.stacked.size());
    list.push_back({name_of_a(parameter.name),
                    {count * rank, parameter.shape[1]},
                    {},
                    std::vector<int64_t>(parameter.stacked.size(), rank)});
    list.push_back({name_of_b(parameter.name), {parameter.shape[0], rank}, {}, parameter.stacked});
  }
  return list;
}

}  // namespace

Adapters::Adapters(Decoder& decoder, int64_t rank, double alpha, uint64_t seed, const std::vector<std::string>& also)
    : decoder_(decoder),
      rank_(rank),
      scale_(alpha / static_cast<double>(rank)),
      also_(also),
      parameters_(trained(decoder.spec(), rank, also), decoder.parameters().flat().scalar_type(), decoder.device()) {
  const torch::NoGradGuard no_gradient;
  for (const std::string& name : also_) parameters_[name].copy_(decoder.parameters()[name]);
  const auto& items = decoder.parameters().items();
  for (size_t number = 0; number < items.size(); ++number) {
    const auto& stacked = decoder.parameters().stacked(number);
    if (stacked.empty()) continue;
    const auto& [name, tensor] = items[number];
    matrices_.push_back({name, stacked, tensor.detach().clone()});
    const Tensor& a = parameters_[name_of_a(name)];
    Stream stream(seed, "lora " + name);
    const double init_stddev = 1 / std::sqrt(static_cast<double>(tensor.size(1)));
    Tensor values = torch::empty(a.sizes(), torch::kFloat64);
    for (int64_t i = 0; i < a.numel(); ++i) values.data_ptr<double>()[i] = init_stddev * stream.normal();
    a.copy_(values);
  }
}

std::vector<Adapters::Part> Adapters::parts(const Matrix& matrix, int64_t rank, const Tensor& rows, const Tensor& a,
                                            const Tensor& b) {
  std::vector<Part> parts;
  int64_t row = 0;
  for (const int64_t count : matrix.stacked) {
    const auto number = static_cast<int64_t>(parts.size());
    parts.push_back({rows.narrow(0, row, count), a.narrow(0, number * rank, rank), b.narrow(0, row, count)});
    row += count;
  }
  return parts;
}

void Adapters::collect_gradient() {
  const torch::NoGradGuard no_gradient;
  for (const std::string& name : also_) {
    Tensor gradient = parameters_[name].grad();
    gradient.add_(decoder_.parameters()[name].grad());
  }
  for (const Matrix& matrix : matrices_) {
    const Tensor &a = parameters_[name_of_a(matrix.name)], &b = parameters_[name_of_b(matrix.name)];
    const Tensor gradient = decoder_.parameters()[matrix.name].grad();
    const auto weights = parts(matrix, rank_, gradient, a, b);
    auto gradients = parts(matrix, rank_, gradient, a.grad(), b.grad());
    for (size_t i = 0; i < weights.size(); ++i) {
      gradients[i].a.addmm_(weights[i].b.t(), weights[i].rows, 1, scale_);
      gradients[i].b.addmm_(weights[i].rows, weights[i].a.t(), 1, scale_);
    }
  }
  decoder_.parameters().gradient().zero_();
}

void Adapters::merge() {
  const torch::NoGradGuard no_gradient;
  for (const std::string& name : also_) decoder_.parameters()[name].copy_(parameters_[name]);
  for (const Matrix& matrix : matrices_) {
    const Tensor &a = parameters_[name_of_a(matrix.name)], &b = parameters_[name_of_b(matrix.name)];
    const auto frozen = parts(matrix, rank_, matrix.frozen, a, b);
    auto effective = parts(matrix, rank_, decoder_.parameters()[matrix.name].detach(), a, b);
    for (size_t i = 0; i < frozen.size(); ++i) {
      effective[i].rows.copy_(torch::addmm(frozen[i].rows, frozen[i].b, frozen[i].a, 1, scale_));
    }
  }
}

void Adapters::require_rank(const ModelSpec& spec, int64_t rank) {
  for (const auto& parameter : parameter_list(spec)) {
    if (parameter.stacked.empty()) continue;
    const int64_t most =
        std::min(parameter.shape[1], *std::min_element(parameter.stacked.begin(), parameter.stacked.end()));
    if (rank <= most) continue;
    throw Error(
        rfs::format("train.lora: must be at most {}, the smaller side of '{}', got {}", most, parameter.name, rank));
  }
}

}  // namespace rfs
