// Shapes: N packed tokens, D width, M targets, V vocabulary, H heads, F hidden width, L tokens of the longest row, R
// any number of rows.

#include <c10/cuda/CUDAStream.h>

#include "rfs/device/device_ops.h"
#include "rfs/device/kernel_node.h"
#include "rfs/device/matmuls.h"
#include "rfs/ops/activation_launch.h"
#include "rfs/ops/adamw_launch.h"
#include "rfs/ops/attention_launch.h"
#include "rfs/ops/cached_attention_launch.h"
#include "rfs/ops/drop_launch.h"
#include "rfs/ops/embedding_launch.h"
#include "rfs/ops/loss_launch.h"
#include "rfs/ops/norm_launch.h"
#include "rfs/ops/rows_launch.h"

namespace rfs {
namespace {

using torch::Tensor;
using torch::autograd::variable_list;

cudaStream_t current() {
  return c10::cuda::getCurrentCUDAStream();
}

int dim(const Tensor& x, int64_t dim) {
  return static_cast<int>(x.size(dim));
}

DType dtype_of(const Tensor& x) {
  return x.scalar_type() == torch::kBFloat16 ? DType::bf16 : DType::fp32;
}

template <class T>
const T* data(const Tensor& x) {
  return x.defined() ? x.const_data_ptr<T>() : nullptr;
}

Tensor grad(const Tensor& weight) {
  TORCH_CHECK(weight.grad().defined(), "device ops: a weight has no grad(); allocate the gradients first");
  return weight.grad();
}

constexpr int64_t logit_multiple = 64;
int64_t padded(int64_t vocabulary) {
  return (vocabulary + logit_multiple - 1) / logit_multiple * logit_multiple;
}

}  // namespace

struct DeviceOps::Inside {
  explicit Inside(DType dtype) : matmuls(dtype) {}
  Matmuls matmuls;
};

DeviceOps::DeviceOps(Tensor flat, DType dtype)
    : flat_(std::move(flat)), dtype_(dtype), inside_(std::make_unique<Inside>(dtype)) {
  if (dtype_ == DType::bf16) {
    low_ = torch::zeros({flat_.numel() + logit_multiple * widest_norm}, flat_.options().dtype(torch::kBFloat16));
    round_weights();
  }
}

DeviceOps::~DeviceOps() = default;

void DeviceOps::round_weights() {
  if (low_.defined()) rfs::round_weights(data<float>(flat_), flat_.numel(), low_.data_ptr(), current());
}

const void* DeviceOps::product_weights(const Tensor& weight) const {
  if (!weight.defined()) return nullptr;
  const Tensor& from = low_.defined() ? low_ : flat_;
  return static_cast<const char*>(from.const_data_ptr()) +
         weight.storage_offset() * static_cast<int64_t>(from.element_size());
}

int64_t DeviceOps::logit_rows(int64_t vocabulary) const {
  return low_.defined() ? padded(vocabulary) : vocabulary;
}

Tensor DeviceOps::embed(const DevicePass& pass, const Tensor& tokens_N, const Tensor& table_VD,
                        const Tensor& positions_N, const Tensor& frequencies, uint32_t site) const {
  const int tokens = dim(tokens_N, 0), width = dim(table_VD, 1), vocabulary = dim(table_VD, 0);
  Tensor x_ND = torch::empty({tokens, width}, flat_.options().requires_grad(false));
  DeviceRows rows = pass.rows;
  rows.positions = data<float>(positions_N);
  Update none;
  none.flat.weights = flat_.data_ptr<float>();
  embedding_forward({rows, pass.dropout, site, width, data<int32_t>(tokens_N), data<double>(frequencies)}, none,
                    table_VD.storage_offset(), DType::fp32, x_ND.data_ptr(), current());
  return KernelNode::recorded({table_VD}, x_ND, [=](const Tensor& d_x) -> variable_list {
    size_t bytes = 0;
    check_cuda(token_order_bytes(tokens, vocabulary, bytes), "sorting tokens");
    const Tensor order = torch::empty({static_cast<int64_t>(bytes)}, d_x.options().dtype(torch::kUInt8));
    check_cuda(order_tokens(data<int32_t>(tokens_N), tokens, vocabulary, order.data_ptr(), current()),
               "sorting tokens");
    Tensor d_ND = d_x;
    if (pass.dropout.threshold) {
      d_ND = torch::empty_like(d_x);
      drop_elements(
          {pass.rows, pass.dropout, site, DType::fp32, DType::fp32, width, data<float>(d_x), nullptr, d_ND.data_ptr()},
          current());
    }
    embedding_backward(DType::fp32, order.const_data_ptr(), tokens, width, DType::fp32, data<float>(d_ND),
                       grad(table_VD).data_ptr(), current());
    return {Tensor()};
  });
}

Tensor DeviceOps::norm(const Tensor& any_RD, const Tensor& weight_D, const Tensor& bias_D, double epsilon) const {
  const Tensor x_RD = any_RD.to(torch::kFloat32).contiguous();
  const int rows = dim(x_RD, 0), width = dim(x_RD, 1);
  const auto wide = flat_.options().requires_grad(false);
  const Tensor inverse = torch::empty({rows}, wide), mean = torch::empty({bias_D.defined() ? rows : 0}, wide);
  Tensor y_RD = torch::empty({rows, width}, wide.dtype(type()));
  NormForward a;
  a.dtype = dtype_;
  a.count = rows;
  a.width = width;
  a.x = data<float>(x_RD);
  a.weight = data<float>(weight_D);
  a.bias = data<float>(bias_D);
  a.epsilon = static_cast<float>(epsilon);
  a.mean = mean.data_ptr<float>();
  a.inverse = inverse.data_ptr<float>();
  a.y = y_RD.data_ptr();
  norm_forward(a, current());
  return KernelNode::recorded({x_RD}, y_RD, [=, dtype = dtype_](const Tensor& d_y) -> variable_list {
    const int64_t blocks = norm_blocks(rows), sums = bias_D.defined() ? 2 : 1;
    const Tensor d_x = torch::empty({rows, width}, wide), partial = torch::empty({blocks, sums, width}, wide);
    NormBackward b;
    b.dtype = dtype;
    b.count = rows;
    b.width = width;
    b.sum = data<float>(x_RD);
    b.mean = data<float>(mean);
    b.inverse = data<float>(inverse);
    b.weight = data<float>(weight_D);
    b.d_y = d_y.const_data_ptr();
    b.shift = bias_D.defined();
    b.d_stream = d_x.data_ptr<float>();
    b.partial = partial.data_ptr<float>();
    norm_backward(b, current());
    const Tensor total = partial.sum(0);
    grad(weight_D).add_(total[0]);
    if (bias_D.defined()) grad(bias_D).add_(total[1]);
    return {d_x};
  });
}

Tensor DeviceOps::linear(const Tensor& any_NI, const Tensor& weight_OI, const Tensor& bias_O) const {
  const Tensor x_NI = any_NI.contiguous();
  const int rows = dim(x_NI, 0), in = dim(weight_OI, 1), out = dim(weight_OI, 0);
  Tensor y_NO = torch::empty({rows, out}, x_NI.options().requires_grad(false));
  const void* weights = product_weights(weight_OI);
  Matmuls& matmuls = inside_->matmuls;
  matmuls.forward(x_NI.const_data_ptr(), weights, product_weights(bias_O), y_NO.data_ptr(), rows, in, out, out, false,
                  current());
  return KernelNode::recorded({x_NI}, y_NO, [=, &matmuls](const Tensor& d_y) -> variable_list {
    matmuls.sum_weight_gradient(d_y.const_data_ptr(), x_NI.const_data_ptr(), grad(weight_OI).data_ptr<float>(), rows,
                                in, out, out, true, current());
    if (bias_O.defined()) grad(bias_O).add_(d_y.sum(0, false, torch::kFloat32));
    const Tensor d_x = torch::empty({rows, in}, d_y.options());
    matmuls.input_gradient(d_y.const_data_ptr(), weights, d_x.data_ptr(), rows, in, out, out, current());
    return {d_x};
  });
}

Tensor DeviceOps::add(const DevicePass& pass, const Tensor& x_ND, const Tensor& branch_ND, uint32_t site) const {
  const int width = dim(x_ND, 1);
  Tensor y_ND = torch::empty_like(x_ND, x_ND.options().requires_grad(false));
  drop_elements({pass.rows, pass.dropout, site, dtype_, DType::fp32, width, branch_ND.const_data_ptr(),
                 data<float>(x_ND), y_ND.data_ptr()},
                current());
  return KernelNode::recorded({x_ND, branch_ND}, y_ND, [=, dtype = dtype_, kind = type()](const Tensor& d_y) {
    const Tensor d_branch = torch::empty_like(d_y, d_y.options().dtype(kind));
    drop_elements(
        {pass.rows, pass.dropout, site, DType::fp32, dtype, width, d_y.const_data_ptr(), nullptr, d_branch.data_ptr()},
        current());
    return variable_list{d_y, d_branch};
  });
}

Tensor DeviceOps::drop(const DevicePass& pass, const Tensor& x_ND, uint32_t site) const {
  if (pass.dropout.threshold == 0) return x_ND;
  const auto dropped = [pass, site, dtype = dtype_](const Tensor& x) {
    Tensor y = torch::empty_like(x, x.options().requires_grad(false));
    drop_elements({pass.rows, pass.dropout, site, dtype, dtype, dim(x, 1), x.const_data_ptr(), nullptr, y.data_ptr()},
                  current());
    return y;
  };
  return KernelNode::recorded({x_ND}, dropped(x_ND),
                              [dropped](const Tensor& d_y) { return variable_list{dropped(d_y)}; });
}

Tensor DeviceOps::activate(const DevicePass& pass, const Tensor& u_NF, FeedForward kind, uint32_t site) const {
  const int width = dim(u_NF, 1) / (is_gated(kind) ? 2 : 1);
  Tensor h_NF = torch::empty({u_NF.size(0), width}, u_NF.options().requires_grad(false));
  const Tensor kept = h_NF.detach();
  Activation a;
  a.rows = pass.rows;
  a.dropout = pass.dropout;
  a.site = site;
  a.dtype = dtype_;
  a.count = dim(u_NF, 0);
  a.width = width;
  a.kind = kind;
  a.u = const_cast<void*>(u_NF.const_data_ptr());
  a.h = h_NF.data_ptr();
  activation_forward(a, current());
  return KernelNode::recorded({u_NF}, h_NF, [a, u_NF, kept, memory = pass.memory](const Tensor& d_h) -> variable_list {
    const Tensor d_u = torch::empty_like(u_NF, u_NF.options().requires_grad(false));
    activation_backward(a, d_h.const_data_ptr(), d_u.data_ptr(), current());
    return {d_u};
  });
}

Tensor DeviceOps::attend(const DevicePass& pass, const Tensor& any_NK, const AttentionPlan& plan, uint32_t site,
                         const Tensor& factors_NH, const Tensor& bias_HNL) const {
  const Tensor qkv_NK = any_NK.contiguous(), factors = factors_NH.defined() ? factors_NH.contiguous() : Tensor();
  const Tensor bias = bias_HNL.defined() ? bias_HNL.contiguous() : Tensor();
  const int64_t tokens = qkv_NK.size(0), heads = plan.layout.heads;
  const auto narrow = qkv_NK.options().requires_grad(false), wide = narrow.dtype(torch::kFloat32);
  Tensor out = torch::empty({tokens, plan.layout.query_width()}, narrow);
  const Tensor log_sum = torch::empty({tokens, heads}, wide), kept_out = out.detach();
  const bool grouped = plan.layout.group() > 1, drops = pass.dropout.threshold != 0;
  const Tensor kept = torch::empty({drops ? tokens * heads * 4 : 0}, narrow.dtype(torch::kInt16));
  DeviceAttention a;
  a.rows = pass.rows;
  a.rows.positions = data<float>(plan.positions_N);
  if (plan.rotation.defined()) {
    a.rows.cos = data<float>(plan.rotation.cos_NP);
    a.rows.sin = data<float>(plan.rotation.sin_NP);
    a.rows.pairs = dim(plan.rotation.cos_NP, 1);
  }
  a.dropout = pass.dropout;
  a.site = site;
  a.dtype = dtype_;
  a.heads = static_cast<int>(heads);
  a.kv_heads = static_cast<int>(plan.layout.kv_heads);
  a.width = static_cast<int>(plan.layout.head_width);
  a.window = static_cast<int>(plan.window);
  a.scale = static_cast<float>(plan.scale);
  a.slopes = data<float>(plan.slopes_H);
  a.query_scale.factors = data<float>(factors);
  a.bias = data<float>(bias);
  a.qkv = qkv_NK.const_data_ptr();
  a.out = out.data_ptr();
  a.log_sum = log_sum.data_ptr<float>();
  a.kept = drops ? reinterpret_cast<uint16_t*>(kept.data_ptr()) : nullptr;
  attention_forward(a, current());
  variable_list inputs = {qkv_NK};
  if (factors.defined()) inputs.push_back(factors);
  if (bias.defined()) inputs.push_back(bias);
  return KernelNode::recorded(inputs, out, [=, memory = pass.memory, shared = plan](const Tensor& d) {
    AttentionGradient to;
    to.d_out = d.const_data_ptr();
    variable_list gradients = {torch::empty_like(qkv_NK, narrow)};
    to.d_qkv = gradients[0].data_ptr();
    if (factors.defined()) {
      gradients.push_back(torch::empty_like(factors, wide));
      to.d_factors = gradients.back().data_ptr<float>();
    }
    if (bias.defined()) {
      gradients.push_back(torch::zeros_like(bias, wide));
      to.d_bias = gradients.back().data_ptr<float>();
    }
    const Tensor d_heads = torch::empty({grouped ? 2 * kept_out.numel() : 0}, narrow);
    to.d_heads = d_heads.data_ptr();
    (void)log_sum, (void)kept, (void)shared, (void)memory;  // `a` points into them
    attention_backward(a, to, current());
    return gradients;
  });
}

Tensor DeviceOps::attend_cached(const Tensor& qkv_BK, const AttentionPlan& plan, const CachedRows& cache,
                                const Tensor& seen_B, const Tensor& positions_BT, const Tensor& factors_BH,
                                const Tensor& bias_HBT) const {
  const Tensor qkv = qkv_BK.contiguous(), factors = factors_BH.defined() ? factors_BH.contiguous() : Tensor();
  const Tensor bias = bias_HBT.defined() ? bias_HBT.contiguous() : Tensor();
  Tensor out = torch::empty({qkv.size(0), plan.layout.query_width()}, qkv.options().requires_grad(false));
  CachedAttention a;
  a.dtype = dtype_;
  a.rows = dim(qkv, 0);
  a.heads = static_cast<int>(plan.layout.heads);
  a.kv_heads = static_cast<int>(plan.layout.kv_heads);
  a.width = static_cast<int>(plan.layout.head_width);
  a.capacity = dim(cache.keys_BKTE, 2);
  a.window = static_cast<int>(plan.window);
  a.scale = static_cast<float>(plan.scale);
  a.seen = data<float>(seen_B);
  if (plan.rotation.defined()) {
    a.cos = data<float>(plan.rotation.cos_NP);
    a.sin = data<float>(plan.rotation.sin_NP);
    a.pairs = dim(plan.rotation.cos_NP, 1);
  }
  a.slopes = data<float>(plan.slopes_H);
  a.factors = data<float>(factors);
  a.bias = data<float>(bias);
  a.positions = data<float>(positions_BT);
  a.qkv = qkv.const_data_ptr();
  a.keys = cache.keys_BKTE.data_ptr();
  a.values = cache.values_BKTE.data_ptr();
  a.out = out.data_ptr();
  cached_attention(a, current());
  return out;
}

Tensor DeviceOps::select(const Tensor& x_ND, const Tensor& predict_M, const Tensor& target_of_N) const {
  const auto gathered = [](const Tensor& from, const Tensor& of) {
    Tensor to = torch::empty({of.size(0), from.size(1)}, from.options().requires_grad(false));
    const auto bytes = static_cast<int>(from.size(1) * static_cast<int64_t>(from.element_size()));
    gather_rows(from.const_data_ptr(), data<int32_t>(of), dim(of, 0), bytes, to.data_ptr(), current());
    return to;
  };
  return KernelNode::recorded({x_ND}, gathered(x_ND, predict_M), [gathered, target_of_N](const Tensor& d_y) {
    return variable_list{gathered(d_y, target_of_N)};
  });
}

Tensor DeviceOps::loss(const Tensor& hidden_MD, const Tensor& head_VD, double scale, const Tensor& labels_M,
                       const Tensor& targets) const {
  const int rows = dim(hidden_MD, 0), width = dim(hidden_MD, 1), vocabulary = dim(head_VD, 0);
  const auto stride = static_cast<int>(padded(vocabulary)), computed = static_cast<int>(logit_rows(vocabulary));
  const Tensor x_MD = scale == 1 ? hidden_MD.detach() : hidden_MD.detach() * scale;
  const Tensor logits = torch::empty({rows, stride}, x_MD.options());
  const Tensor losses = torch::empty({rows}, x_MD.options().dtype(torch::kFloat32));
  const void* weights = product_weights(head_VD);
  Matmuls& matmuls = inside_->matmuls;
  matmuls.forward(x_MD.const_data_ptr(), weights, nullptr, logits.data_ptr(), rows, width, computed, stride, false,
                  current());
  loss_and_gradient(dtype_, logits.data_ptr(), data<int32_t>(labels_M), data<int32_t>(targets), rows, vocabulary,
                    stride, losses.data_ptr<float>(), current());
  return KernelNode::recorded(
      {hidden_MD}, losses.sum().div(targets[0]), [=, &matmuls](const Tensor& d) -> variable_list {
        matmuls.sum_weight_gradient(logits.const_data_ptr(), x_MD.mul(d).const_data_ptr(),
                                    grad(head_VD).data_ptr<float>(), rows, width, vocabulary, stride, true, current());
        const Tensor d_hidden = torch::empty_like(x_MD);
        matmuls.input_gradient(logits.const_data_ptr(), weights, d_hidden.data_ptr(), rows, width, computed, stride,
                               current());
        return {d_hidden.mul(d.mul(scale).to(d_hidden.scalar_type()))};
      });
}

Tensor DeviceOps::logits(const Tensor& hidden_MD, const Tensor& head_VD, double scale) const {
  const int rows = dim(hidden_MD, 0), width = dim(hidden_MD, 1), vocabulary = dim(head_VD, 0);
  const auto stride = static_cast<int>(padded(vocabulary)), computed = static_cast<int>(logit_rows(vocabulary));
  const Tensor x_MD = (hidden_MD.detach().to(torch::kFloat32) * scale).to(type()).contiguous();
  const Tensor logits = torch::empty({rows, stride}, x_MD.options().dtype(torch::kFloat32));
  inside_->matmuls.forward(x_MD.const_data_ptr(), product_weights(head_VD), nullptr, logits.data_ptr(), rows, width,
                           computed, stride, true, current());
  return logits.narrow(1, 0, vocabulary);
}

}  // namespace rfs
