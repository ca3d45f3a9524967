#pragma once

#include <filesystem>
#include <optional>

#include "rfs/interchange/neox.h"
#include "rfs/interchange/tokenizer_files.h"

namespace rfs {

/// Writes a folder that `transformers` opens: config.json, generation_config.json, model.safetensors and, where there
/// is one, the tokenizer's files. `weights` are ours, by our names; `metadata` goes into model.safetensors.
void write_hf(const std::filesystem::path& folder, const NeoxConfig& config, const TensorFile& weights,
              const std::map<std::string, std::string>& metadata, const std::optional<Bpe>& bpe);

/// A GPT-NeoX checkpoint of `transformers`, its weights under our names and in our order.
struct HfModel {
  NeoxConfig config;
  TensorFile weights;  ///< float32; metadata as in the folder's file
};

/// Throws Error that names the file and what is wrong: not this kind of model, something our decoder does not have,
/// tensors that are missing, too many or of another shape, a pickle.
HfModel read_hf(const std::filesystem::path& folder);

}  // namespace rfs
