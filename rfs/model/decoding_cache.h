#pragma once

#include <memory>
#include <vector>

#include "rfs/model/decoder.h"

namespace rfs {

/// The rows that Decoding extends.
struct OpenRows {
  std::vector<int64_t> sizes;               ///< tokens so far of each open row
  std::vector<torch::Tensor> positions_BT;  ///< of each track: float32, on the CPU, for every token that rows may reach

  int64_t count() const { return static_cast<int64_t>(sizes.size()); }
  int64_t capacity() const { return positions_BT.front().size(1); }
};

/// Rotated keys and values of the tokens so far, in every layer, and the passes that extend and read them.
class DecodingCache {
 public:
  explicit DecodingCache(const Decoder& decoder) : decoder_(decoder) {}
  virtual ~DecodingCache() = default;

  /// Runs the prompts of all rows. Returns the logits [B, V] of the token after each.
  virtual torch::Tensor start(const Batch& prompts, const OpenRows& rows) = 0;
  /// Runs one more token of each open row; `rows` already counts it.
  virtual torch::Tensor step(const Batch& newest, const OpenRows& rows) = 0;

  /// Copies rows `from` onto rows `to`.
  void copy_rows(const std::vector<int64_t>& from, const std::vector<int64_t>& to);
  void grow(int64_t capacity);
  /// Must be called after positions of tokens that are not in the cache yet have changed.
  void refresh() { changed(false); }
  /// Rotates the keys of the only row from its old to its new positions (float64, one tensor [t] per track).
  void move(const std::vector<torch::Tensor>& old_t, const std::vector<torch::Tensor>& new_t);

 protected:
  /// Called when rows or positions have changed, and (`moved`) when the cache has new memory.
  virtual void changed(bool /*moved*/) {}

  const Decoder& decoder_;
  std::vector<CachedRows> layers_;

 private:
  /// Keys at the positions where they were computed. Rotating keys again and again would add up rounding errors.
  std::vector<torch::Tensor> first_keys_KtE_, first_positions_t_;
};

/// Queries [.., H, E], keys and values [.., K, E] of some tokens, rotated.
struct QueriesKeysValues {
  QueriesKeysValues(const torch::Tensor& qkv_NK, const AttentionPlan& plan);
  torch::Tensor q, k, v;
};

/// Where each token of some packed prompts belongs: its row, and its index within the row.
struct PromptTokens {
  PromptTokens(const std::vector<int64_t>& sizes, torch::Device device);
  /// Writes numbers of each token, [N, heads, E], to [B, heads, T, E].
  void put(const torch::Tensor& x_NHE, const torch::Tensor& into_BHTE) const;
  /// A cache of `rows` rows that holds these keys or values.
  torch::Tensor cached(const torch::Tensor& x_NKE, int64_t rows, int64_t capacity, torch::Dtype dtype) const;

  std::vector<torch::Tensor> row_and_token_N;  ///< int64
  torch::Tensor last_B;                        ///< the last token of each row
  int64_t longest;
};

/// With LibTorch operations: the specification. It runs on any device and knows every model.
std::unique_ptr<DecodingCache> reference_cache(const Decoder& decoder);
/// With the decoder's kernels. Each step is one CUDA graph.
std::unique_ptr<DecodingCache> kernel_cache(const Decoder& decoder);

}  // namespace rfs
