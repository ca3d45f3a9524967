#pragma once

#include <filesystem>
#include <optional>

#include "rfs/interchange/neox.h"
#include "rfs/interchange/tokenizer_files.h"

namespace rfs {

/// Writes a folder that `transformers` can load: config.json, generation_config.json, model.safetensors and, if there
/// is a tokenizer, its files. `weights` has the names of rfs. `metadata` is written into model.safetensors.
void write_hf(const std::filesystem::path& folder, const NeoxConfig& config, const TensorFile& weights,
              const std::map<std::string, std::string>& metadata, const std::optional<Bpe>& bpe);

/// A GPT-NeoX checkpoint of `transformers`. Its weights have the names and layout of rfs.
struct HfModel {
  NeoxConfig config;
  TensorFile weights;  ///< float32, with the metadata of the folder's file
};

/// Throws an Error that names the file and the problem: another kind of model, a feature that rfs does not support,
/// tensors that are missing, unknown or have another shape, a pickle.
HfModel read_hf(const std::filesystem::path& folder);

}  // namespace rfs
