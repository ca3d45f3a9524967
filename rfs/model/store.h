#pragma once

#include <filesystem>
#include <string>

#include "rfs/model/decoder.h"
#include "rfs/model/safetensors.h"

namespace rfs {

/// The decoder's weights under their names.
TensorFile weights(const Decoder& decoder);

/// A file's weights in the order of the parameters' flat buffer; other tensors of the file are left alone. Throws Error
/// that names the file and the first tensor that is missing or of another shape.
torch::Tensor flat_weights(const Parameters& parameters, const TensorFile& file, const std::string& where);

/// Copies a file's weights in. Throws as flat_weights does; then nothing was changed.
void set_weights(Decoder& decoder, const TensorFile& file, const std::string& where);

/// A model on disk: weights, and in the metadata everything needed to use them: `settings` (a run's whole
/// settings.toml), `vocabulary`, `trained_length` (n_tr).
void save_model(const std::filesystem::path& path, const Decoder& decoder, const std::string& settings,
                int64_t trained_length);

struct StoredModel {
  std::unique_ptr<Decoder> decoder;
  std::string settings;
  int64_t trained_length = 0;
};

/// Makes the decoder its settings describe and loads it. Throws Error.
StoredModel load_model(const std::filesystem::path& path);

}  // namespace rfs
