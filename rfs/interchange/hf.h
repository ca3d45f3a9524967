#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>

#include "rfs/interchange/family.h"
#include "rfs/interchange/tokenizer_files.h"

namespace rfs {

/// A checkpoint of `transformers`: its config, and its tensors in the mapped files.
struct Checkpoint {
  std::filesystem::path folder;
  std::unique_ptr<ModelFamily> family;
  CheckpointConfig config;
  TensorFile file;
};

/// Reads config.json and finds the weights in model.safetensors or in the files of its index. Throws an Error that
/// names the file and the problem: an unknown family, a feature that rfs does not support, tensors that are missing,
/// unknown, duplicate or have another shape, a pickle.
Checkpoint read_hf(const std::filesystem::path& folder);

/// Copies the weights into a decoder of the checkpoint's config. Throws Error for weights that are NaN or infinite.
void copy_weights(const Checkpoint& checkpoint, Decoder& decoder);

/// Writes a folder that `transformers` can load: config.json, generation_config.json, model.safetensors and, if there
/// is a tokenizer, its files. `weights` has the names of rfs. `metadata` is written into model.safetensors.
void write_hf(const std::filesystem::path& folder, const ModelFamily& family, const CheckpointConfig& config,
              const std::string& model_type, const TensorFile& weights,
              const std::map<std::string, std::string>& metadata, const TokenizerFiles& tokenizer);

/// config.json in the form that transformers 4 writes and 5 also reads; and the config of a file in either form.
/// Missing keys have the defaults of `transformers`.
std::string hf_config(const ModelFamily& family, const CheckpointConfig& config, const std::string& model_type);
CheckpointConfig read_hf_config(const std::filesystem::path& path, std::unique_ptr<ModelFamily>& family);

}  // namespace rfs
