#pragma once

#include <cublasLt.h>

#include <map>
#include <tuple>

#include "rfs/engine/memory.h"
#include "rfs/ops/device_rows.h"

namespace rfs {

/// The large products, by cuBLASLt. Matrices are row-major: x [N, in], weights [out, in], y [N, out]; `stride` is the
/// distance of y's rows where it is not `out`. The first algorithm of cuBLASLt's heuristic is taken, so that the same
/// shapes give the same bits; algorithms that add up in an order of their own are excluded.
class Products {
 public:
  /// Each stream of work has its own object: the workspace is not shared.
  explicit Products(Element element);
  ~Products();
  Products(const Products&) = delete;
  Products& operator=(const Products&) = delete;

  /// y = x weights^T + bias. `y` has the element type, or float32 where `wide`.
  void forward(const void* x, const void* weights, const void* bias, void* y, int rows, int in, int out, int stride,
               bool wide, cudaStream_t stream);
  /// d_x = d_y weights
  void input_gradient(const void* d_y, const void* weights, void* d_x, int rows, int in, int out, int stride,
                      cudaStream_t stream);
  /// d_weights = d_y^T x (+ d_weights where `accumulate`), float32
  void weight_gradient(const void* d_y, const void* x, float* d_weights, int rows, int in, int out, int stride,
                       bool accumulate, cudaStream_t stream);

 private:
  struct Plan;
  // transposed a, transposed b, m, n, k, distances of rows of a, b and c, kind of c, bias, alignment
  using Key = std::tuple<bool, bool, int, int, int, int, int, int, int, bool, uint32_t>;
  void run(bool turn_a, bool turn_b, int m, int n, int k, const void* a, int stride_a, const void* b, int stride_b,
           void* c, int stride_c, bool wide, const void* bias, bool accumulate, cudaStream_t stream);

  Element element_;
  cublasLtHandle_t handle_ = nullptr;
  DeviceMemory workspace_;
  std::map<Key, Plan> plans_;
};

}  // namespace rfs
