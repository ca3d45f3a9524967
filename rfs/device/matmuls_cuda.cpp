// cuBLASLt uses column-major matrices: a row-major [r, c] matrix is a c x r matrix there. So the code below computes
// y^T = weights x^T.

#include <algorithm>

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/device/matmuls.h"

namespace rfs {
namespace {

constexpr size_t workspace_bytes = size_t{32} << 20;

void check(cublasStatus_t status, const char* doing) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw Error(rfs::format("cublas: {} failed: {}", doing, cublasLtGetStatusString(status)));
}

uint32_t alignment(std::initializer_list<const void*> pointers) {
  uintptr_t bits = 256;
  for (const void* pointer : pointers) bits |= reinterpret_cast<uintptr_t>(pointer);
  return static_cast<uint32_t>(bits & -bits);
}

}  // namespace

struct Matmuls::Plan {
  cublasLtMatmulDesc_t operation = nullptr;
  cublasLtMatrixLayout_t a = nullptr, b = nullptr, c = nullptr;
  cublasLtMatmulAlgo_t algorithm{};
  bool chosen = false;  ///< whether the algorithm has been chosen
};

Matmuls::Matmuls(DType dtype, int multiprocessors)
    : dtype_(dtype), multiprocessors_(multiprocessors), workspace_(workspace_bytes) {
  check(cublasLtCreate(&handle_), "starting");
}

Matmuls::~Matmuls() {
  for (auto& [key, plan] : plans_) {
    cublasLtMatrixLayoutDestroy(plan.a);
    cublasLtMatrixLayoutDestroy(plan.b);
    cublasLtMatrixLayoutDestroy(plan.c);
    cublasLtMatmulDescDestroy(plan.operation);
  }
  cublasLtDestroy(handle_);
}

void Matmuls::run(bool transpose_a, bool transpose_b, int m, int n, int k, const void* a, int stride_a, const void* b,
                  int stride_b, void* c, int stride_c, bool wide, const Extra& extra, cudaStream_t stream) {
  const uint32_t aligned = alignment({a, b, c, extra.bias, extra.auxiliary});
  const Key key{transpose_a,
                transpose_b,
                m,
                n,
                k,
                stride_a,
                stride_b,
                stride_c,
                (wide ? 1 : 0) + (extra.add ? 2 : 0),
                static_cast<int>(extra.kind),
                aligned};
  const auto [found, fresh] = plans_.try_emplace(key);
  Plan& plan = found->second;
  const auto set = [&](cublasLtMatmulDescAttributes_t attribute, auto value) {
    check(cublasLtMatmulDescSetAttribute(plan.operation, attribute, &value, sizeof(value)), "describing a matmul");
  };
  if (fresh) {
    const cudaDataType_t low = dtype_ == DType::bf16 ? CUDA_R_16BF : CUDA_R_32F;
    check(cublasLtMatmulDescCreate(&plan.operation, CUBLAS_COMPUTE_32F, CUDA_R_32F), "describing a matmul");
    set(CUBLASLT_MATMUL_DESC_TRANSA, transpose_a ? CUBLAS_OP_T : CUBLAS_OP_N);
    set(CUBLASLT_MATMUL_DESC_TRANSB, transpose_b ? CUBLAS_OP_T : CUBLAS_OP_N);
    set(CUBLASLT_MATMUL_DESC_EPILOGUE, extra.kind);
    if (multiprocessors_ > 0) set(CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET, multiprocessors_);
    if (extra.bias) set(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, wide ? CUDA_R_32F : low);
    if (extra.auxiliary) set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, static_cast<int64_t>(m));
    const auto layout = [&](cublasLtMatrixLayout_t& to, cudaDataType_t type, int rows, int columns, int stride) {
      check(cublasLtMatrixLayoutCreate(&to, type, static_cast<uint64_t>(rows), static_cast<uint64_t>(columns), stride),
            "describing a matrix");
    };
    layout(plan.a, low, transpose_a ? k : m, transpose_a ? m : k, stride_a);
    layout(plan.b, low, transpose_b ? n : k, transpose_b ? k : n, stride_b);
    layout(plan.c, wide ? CUDA_R_32F : low, m, n, stride_c);
  }
  if (extra.bias) set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, extra.bias);
  if (extra.auxiliary) set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, extra.auxiliary);
  if (!plan.chosen) choose(plan, aligned);
  const float one = 1, beta = extra.add ? 1 : 0;
  check(cublasLtMatmul(handle_, plan.operation, &one, a, plan.a, b, plan.b, &beta, c, plan.c, c, plan.c,
                       &plan.algorithm, workspace_.as<void>(), workspace_bytes, stream),
        "a matmul");
}

void Matmuls::choose(Plan& plan, uint32_t aligned) {
  cublasLtMatmulPreference_t preference = nullptr;
  check(cublasLtMatmulPreferenceCreate(&preference), "choosing an algorithm");
  const auto prefer = [&](cublasLtMatmulPreferenceAttributes_t attribute, auto value) {
    check(cublasLtMatmulPreferenceSetAttribute(preference, attribute, &value, sizeof(value)), "choosing an algorithm");
  };
  prefer(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, static_cast<uint64_t>(workspace_bytes));
  prefer(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK,
         static_cast<uint32_t>(CUBLASLT_REDUCTION_SCHEME_NONE | CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE));
  for (const auto attribute :
       {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
        CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES}) {
    prefer(attribute, aligned);
  }
  cublasLtMatmulHeuristicResult_t best{};
  int count = 0;
  const auto status = cublasLtMatmulAlgoGetHeuristic(handle_, plan.operation, plan.a, plan.b, plan.c, plan.c,
                                                     preference, 1, &best, &count);
  cublasLtMatmulPreferenceDestroy(preference);
  if (count == 0)
    check(status == CUBLAS_STATUS_SUCCESS ? CUBLAS_STATUS_NOT_SUPPORTED : status, "choosing an algorithm");
  plan.algorithm = best.algo;
  plan.chosen = true;
}

void Matmuls::forward(const void* x, const void* weights, const void* bias, void* y, int rows, int in, int out,
                      int stride, bool wide, cudaStream_t stream, void* before_gelu) {
  Extra extra{CUBLASLT_EPILOGUE_DEFAULT, bias, before_gelu, false};
  if (before_gelu) {
    extra.kind = bias ? CUBLASLT_EPILOGUE_GELU_AUX_BIAS : CUBLASLT_EPILOGUE_GELU_AUX;
  } else if (bias) {
    extra.kind = CUBLASLT_EPILOGUE_BIAS;
  }
  run(true, false, out, rows, in, weights, in, x, in, y, stride, wide, extra, stream);
}

void Matmuls::input_gradient(const void* d_y, const void* weights, void* d_x, int rows, int in, int out, int stride,
                             cudaStream_t stream, const void* before_gelu) {
  const Extra extra{before_gelu ? CUBLASLT_EPILOGUE_DGELU : CUBLASLT_EPILOGUE_DEFAULT, nullptr, before_gelu, false};
  run(false, false, in, rows, out, weights, in, d_y, stride, d_x, in, false, extra, stream);
}

void Matmuls::weight_gradient(const void* d_y, const void* x, void* d_weights, int rows, int in, int out, int stride,
                              cudaStream_t stream) {
  run(false, true, in, out, rows, x, in, d_y, stride, d_weights, in, false, Extra(), stream);
}

void Matmuls::sum_weight_gradient(const void* d_y, const void* x, float* d_weights, int rows, int in, int out,
                                  int stride, bool add, cudaStream_t stream) {
  Extra extra;
  extra.add = add;
  run(false, true, in, out, rows, x, in, d_y, stride, d_weights, in, true, extra, stream);
}

}  // namespace rfs
