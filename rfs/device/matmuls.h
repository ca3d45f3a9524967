#pragma once

#include <cublasLt.h>

#include <map>
#include <tuple>

#include "rfs/device/memory.h"
#include "rfs/ops/device_rows.h"

namespace rfs {

/// Large matrix multiplications with cuBLASLt. Matrices are row-major: x [N, in], weights [out, in], y [N, out].
/// `stride` is the distance between rows of y, if it is not `out`. The first algorithm that cuBLASLt's heuristic
/// returns is used, so that equal shapes give equal bits. Algorithms without a fixed summation order are excluded.
class Matmuls {
 public:
  /// Use one object per CUDA stream: its workspace cannot be shared. Matmuls use `multiprocessors` multiprocessors; 0
  /// means all.
  explicit Matmuls(DType dtype, int multiprocessors = 0);
  ~Matmuls();
  Matmuls(const Matmuls&) = delete;
  Matmuls& operator=(const Matmuls&) = delete;

  /// y = x weights^T + bias. `y` has the element type, or float32 if `wide`. With `before_gelu`, y = GELU(x weights^T +
  /// bias), and `before_gelu` receives the argument of GELU.
  void forward(const void* x, const void* weights, const void* bias, void* y, int rows, int in, int out, int stride,
               bool wide, cudaStream_t stream, void* before_gelu = nullptr);
  /// d_x = d_y weights. With `before_gelu`, d_x is the gradient of GELU's argument: multiplied by GELU's derivative
  /// there.
  void input_gradient(const void* d_y, const void* weights, void* d_x, int rows, int in, int out, int stride,
                      cudaStream_t stream, const void* before_gelu = nullptr);
  /// d_weights = d_y^T x, in the element type
  void weight_gradient(const void* d_y, const void* x, void* d_weights, int rows, int in, int out, int stride,
                       cudaStream_t stream);
  /// d_weights = d_y^T x in float32, plus what was there if `add`
  void sum_weight_gradient(const void* d_y, const void* x, float* d_weights, int rows, int in, int out, int stride,
                           bool add, cudaStream_t stream);

 private:
  struct Plan;
  struct Extra {  // the epilogue of a matmul
    cublasLtEpilogue_t kind = CUBLASLT_EPILOGUE_DEFAULT;
    const void* bias = nullptr;
    const void* auxiliary = nullptr;  // auxiliary matrix [n, m] with row stride m
    bool add = false;                 // add to the contents of c
  };
  // transpose a, transpose b, m, n, k, row strides of a, b and c, kind of c, epilogue, alignment
  using Key = std::tuple<bool, bool, int, int, int, int, int, int, int, int, uint32_t>;
  void run(bool transpose_a, bool transpose_b, int m, int n, int k, const void* a, int stride_a, const void* b,
           int stride_b, void* c, int stride_c, bool wide, const Extra& extra, cudaStream_t stream);
  void choose(Plan& plan, uint32_t aligned);

  DType dtype_;
  int multiprocessors_;
  cublasLtHandle_t handle_ = nullptr;
  DeviceMemory workspace_;
  std::map<Key, Plan> plans_;
};

}  // namespace rfs
