#pragma once

#include <filesystem>
#include <string>

#include "rfs/model/decoder.h"
#include "rfs/model/safetensors.h"
#include "rfs/model/settings.h"

namespace rfs {

/// The decoder's weights under their names, on the CPU.
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
StoredModel load_model(const std::filesystem::path& path, torch::Device device = torch::kCPU);
/// The same in two steps, for settings that decide about the device. `where` names the file.
const std::string& stored_settings(const TensorFile& file, const std::string& where);
StoredModel load_model(TensorFile file, const std::string& where, torch::Device device);
/// The same under settings that test it with other positions.
StoredModel load_model(TensorFile file, const std::string& where, torch::Device device, const ModelSettings& settings);

}  // namespace rfs
