#pragma once

#include <string>
#include <vector>

#include "rfs/model/decoder.h"

namespace rfs {

/// Low-rank adapters (LoRA, Hu et al. 2021) of all matrices in a decoder's blocks. A matrix has the effective weights
/// W + (alpha / R) B A, where W is frozen, A [R, in] starts random and B [out, R] starts at zero. Queries, keys,
/// values and the halves of a gated layer are separate matrices.
///
/// The decoder holds the effective weights, so everything that uses it computes the adapted model.
class Adapters {
 public:
  /// Adapts the decoder's current weights. The tensors in `also` are trained as they are. The decoder must outlive this
  /// object.
  Adapters(Decoder& decoder, int64_t rank, double alpha, uint64_t seed, const std::vector<std::string>& also = {});

  /// What is trained: NAME.lora_a and NAME.lora_b of each matrix, those of stacked matrices below one another, and the
  /// tensors in `also`.
  Parameters& parameters() { return parameters_; }
  /// Adds the decoder's gradient to that of parameters(), by the chain rule, and clears it.
  void collect_gradient();
  /// Puts the effective weights into the decoder.
  void merge();

  /// Throws Error if the rank is larger than a side of a matrix.
  static void require_rank(const ModelSpec& spec, int64_t rank);

 private:
  struct Matrix {
    std::string name;
    std::vector<int64_t> stacked;
    torch::Tensor frozen;  // W
  };
  /// A matrix that may be one of several in a parameter: its rows there, its A and its B in `lora_a` and `lora_b`.
  struct Part {
    torch::Tensor rows, a, b;
  };
  static std::vector<Part> parts(const Matrix& matrix, int64_t rank, const torch::Tensor& rows, const torch::Tensor& a,
                                 const torch::Tensor& b);

  Decoder& decoder_;
  int64_t rank_;
  double scale_;
  std::vector<std::string> also_;
  std::vector<Matrix> matrices_;
  Parameters parameters_;
};

}  // namespace rfs
