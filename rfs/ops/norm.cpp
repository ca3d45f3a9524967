#include "rfs/ops/norm.h"

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include <cmath>

namespace rfs {
namespace {

using torch::Tensor;

Tensor reference(const Tensor& x_ND, const Tensor& weight_D, double epsilon) {
  return x_ND * torch::rsqrt(x_ND.square().mean(-1, true) + epsilon) * weight_D;
}

struct FusedNorm : torch::autograd::Function<FusedNorm> {
  static Tensor forward(torch::autograd::AutogradContext* context, const Tensor& x, const Tensor& weight,
                        double epsilon) {
    const Tensor x_ND = x.contiguous();
    Tensor y_ND = torch::empty_like(x_ND), inverse_N = torch::empty({x_ND.size(0)}, x_ND.options());
    const int64_t width = x_ND.size(1);
    const float *in = x_ND.const_data_ptr<float>(), *w = weight.const_data_ptr<float>();
    float *out = y_ND.data_ptr<float>(), *inverse = inverse_N.data_ptr<float>();
    at::parallel_for(0, x_ND.size(0), 64, [&](int64_t begin, int64_t end) {
      for (int64_t n = begin; n < end; ++n) {
        const float* row = in + n * width;
        float square = 0;
#pragma omp simd reduction(+ : square)
        for (int64_t d = 0; d < width; ++d) square += row[d] * row[d];
        inverse[n] = 1 / std::sqrt(square / static_cast<float>(width) + static_cast<float>(epsilon));
        for (int64_t d = 0; d < width; ++d) out[n * width + d] = row[d] * inverse[n] * w[d];
      }
    });
    context->save_for_backward({x_ND, weight, inverse_N});
    return y_ND;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& gradients) {
    const auto saved = context->get_saved_variables();
    const Tensor &x_ND = saved[0], grad_ND = gradients[0].contiguous();
    Tensor dx_ND = torch::empty_like(x_ND), dw_ND = torch::empty_like(x_ND);
    const int64_t width = x_ND.size(1);
    const float *in = x_ND.const_data_ptr<float>(), *w = saved[1].const_data_ptr<float>();
    const float *inverse = saved[2].const_data_ptr<float>(), *grad = grad_ND.const_data_ptr<float>();
    float *dx = dx_ND.data_ptr<float>(), *dw = dw_ND.data_ptr<float>();
    at::parallel_for(0, x_ND.size(0), 64, [&](int64_t begin, int64_t end) {
      for (int64_t n = begin; n < end; ++n) {
        const float *row = in + n * width, *g = grad + n * width;
        float inner = 0;
#pragma omp simd reduction(+ : inner)
        for (int64_t d = 0; d < width; ++d) inner += row[d] * g[d] * w[d];
        const float r = inverse[n], back = inner * r * r * r / static_cast<float>(width);
        for (int64_t d = 0; d < width; ++d) {
          dx[n * width + d] = r * g[d] * w[d] - back * row[d];
          dw[n * width + d] = r * g[d] * row[d];
        }
      }
    });
    return {dx_ND, dw_ND.sum(0), Tensor()};
  }
};

}  // namespace

Tensor rms_norm(const Tensor& x_ND, const Tensor& weight_D, double epsilon, Backend backend) {
  const bool fits = x_ND.device().is_cpu() && x_ND.scalar_type() == torch::kFloat32 && x_ND.dim() == 2;
  TORCH_CHECK(backend != Backend::fused || fits, "rms_norm: no fused version for ", x_ND.options());
  if (backend == Backend::reference || !fits) return reference(x_ND, weight_D, epsilon);
  return FusedNorm::apply(x_ND, weight_D, epsilon);
}

}  // namespace rfs
