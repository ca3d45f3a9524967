#pragma once

#include <filesystem>
#include <string>

#include "rfs/model/decoder.h"
#include "rfs/model/safetensors.h"
#include "rfs/model/settings.h"

namespace rfs {

/// The decoder's weights by name, on the CPU.
TensorFile weights(const Decoder& decoder);

/// A file's weights in the order of the parameters' flat buffer; ignores all other tensors of the file. Throws an Error
/// that names the file and the first tensor that is missing or has another shape.
torch::Tensor flat_weights(const Parameters& parameters, const TensorFile& file, const std::string& where);

/// Copies a file's weights into the decoder. Throws like flat_weights and then changes nothing.
void set_weights(Decoder& decoder, const TensorFile& file, const std::string& where);

/// Saves a model: its weights, and in the metadata everything needed to use them: `settings` (a run's whole
/// settings.toml), `vocabulary`, `trained_length` (n_tr).
void save_model(const std::filesystem::path& path, const Decoder& decoder, const std::string& settings,
                int64_t trained_length);

/// A loaded model.
struct StoredModel {
  std::unique_ptr<Decoder> decoder;
  std::string settings;
  int64_t trained_length = 0;
};

/// Creates the decoder that its settings describe and loads the weights. Throws Error.
StoredModel load_model(const std::filesystem::path& path, torch::Device device = torch::kCPU);
/// The same in two steps, if the settings determine the device. `where` names the file.
const std::string& stored_settings(const TensorFile& file, const std::string& where);
StoredModel load_model(TensorFile file, const std::string& where, torch::Device device);  ///< the second step
/// The same with changed settings, to test the model with other positions.
StoredModel load_model(TensorFile file, const std::string& where, torch::Device device, const ModelSettings& settings);

}  // namespace rfs
