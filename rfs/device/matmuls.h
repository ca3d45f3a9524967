#pragma once

#include <cublasLt.h>

#include <map>
#include <tuple>

#include "rfs/device/memory.h"
#include "rfs/ops/device_rows.h"

namespace rfs {

/// The large products, by cuBLASLt. Matrices are row-major: x [N, in], weights [out, in], y [N, out]; `stride` is the
/// distance of y's rows where it is not `out`. The first algorithm of cuBLASLt's heuristic is taken, so that the same
/// shapes give the same bits; algorithms that add up in an order of their own are excluded.
class Matmuls {
 public:
  /// Each stream of work has its own object: the workspace is not shared. Matmuls use that many multiprocessors, 0:
  /// all.
  explicit Matmuls(DType dtype, int multiprocessors = 0);
  ~Matmuls();
  Matmuls(const Matmuls&) = delete;
  Matmuls& operator=(const Matmuls&) = delete;

  /// y = x weights^T + bias. `y` has the element type, or float32 where `wide`. With `before_gelu` y = GELU of that,
  /// and `before_gelu` gets what it was before.
  void forward(const void* x, const void* weights, const void* bias, void* y, int rows, int in, int out, int stride,
               bool wide, cudaStream_t stream, void* before_gelu = nullptr);
  /// d_x = d_y weights; with `before_gelu` the gradient of that: times GELU's slope there.
  void input_gradient(const void* d_y, const void* weights, void* d_x, int rows, int in, int out, int stride,
                      cudaStream_t stream, const void* before_gelu = nullptr);
  /// d_weights = d_y^T x, of the element type
  void weight_gradient(const void* d_y, const void* x, void* d_weights, int rows, int in, int out, int stride,
                       cudaStream_t stream);
  /// d_weights += d_y^T x, in float32
  void add_weight_gradient(const void* d_y, const void* x, float* d_weights, int rows, int in, int out, int stride,
                           cudaStream_t stream);

 private:
  struct Plan;
  struct Extra {  // what happens to a product on its way out
    cublasLtEpilogue_t kind = CUBLASLT_EPILOGUE_DEFAULT;
    const void* bias = nullptr;
    const void* aside = nullptr;  // [n, m], distance of rows m
    bool add = false;             // to what c has
  };
  // transposed a, transposed b, m, n, k, distances of rows of a, b and c, kind of c, extra, alignment
  using Key = std::tuple<bool, bool, int, int, int, int, int, int, int, int, uint32_t>;
  void run(bool turn_a, bool turn_b, int m, int n, int k, const void* a, int stride_a, const void* b, int stride_b,
           void* c, int stride_c, bool wide, const Extra& extra, cudaStream_t stream);
  void choose(Plan& plan, uint32_t aligned);

  DType dtype_;
  int multiprocessors_;
  cublasLtHandle_t handle_ = nullptr;
  DeviceMemory workspace_;
  std::map<Key, Plan> plans_;
};

}  // namespace rfs
