#pragma once

#include <memory>
#include <vector>

#include "rfs/device/memory.h"
#include "rfs/engine/device_input.h"
#include "rfs/model/spec.h"
#include "rfs/ops/attention_launch.h"

namespace rfs {

/// What all layers of one kind share.
struct DeviceKind {
  DeviceKind(const LayerKind& kind, const DecoderOptions& options);

  DeviceMemory frequencies, slopes;
  int pairs = 0, window = 0;
  int64_t track = 0;
  std::shared_ptr<const AttentionRule> rule;
  int terms = 0;  ///< number of terms in the query factors; 0: queries are not scaled
};

/// The layer kinds of a model, and the rotation angles of queries and keys for a limited number of tokens.
class DeviceKinds {
 public:
  explicit DeviceKinds(const ModelSpec& spec);
  /// The same kinds with separate buffers for the angles.
  DeviceKinds(const DeviceKinds& other) : kinds_(other.kinds_), of_layer_(other.of_layer_) {}

  const DeviceKind& of(int layer) const { return *kinds_[number(layer)]; }
  bool scales_queries() const;

  /// Calls `body(buffer, bytes)` for the buffers of the angles of `tokens` tokens.
  template <class Body>
  void for_each_buffer(size_t tokens, Body body) {
    cos_.resize(kinds_.size());
    sin_.resize(kinds_.size());
    for (size_t i = 0; i < kinds_.size(); ++i) {
      for (DeviceMemory* table : {&cos_[i], &sin_[i]}) body(*table, tokens * static_cast<size_t>(kinds_[i]->pairs) * 4);
    }
  }
  /// Computes the terms of the query factors for rows of up to `longest` tokens.
  void make_terms(int longest);

  /// Computes the angles of a batch.
  void find_angles(const DeviceInput& input, cudaStream_t stream);
  /// Fills in the fields of `attention` that the layer's kind determines, except query_scale.
  void describe(int layer, const DeviceInput& input, DeviceAttention& attention) const;
  /// The query factors of a layer, without the learned tensors.
  QueryScale query_scale(int layer) const;

 private:
  size_t number(int layer) const { return of_layer_[static_cast<size_t>(layer)]; }

  std::vector<std::shared_ptr<const DeviceKind>> kinds_;
  std::vector<size_t> of_layer_;
  std::vector<DeviceMemory> cos_, sin_, terms_;
  int terms_stride_ = 0;
};

}  // namespace rfs
