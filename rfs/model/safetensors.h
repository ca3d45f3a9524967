#pragma once

#include <torch/types.h>

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace rfs {

/// Named tensors and text metadata in Hugging Face's safetensors container.
struct TensorFile {
  std::vector<std::pair<std::string, torch::Tensor>> tensors;
  std::map<std::string, std::string> metadata;

  const torch::Tensor* find(const std::string& name) const;  ///< null if the file has no such tensor
};

/// Writes atomically. Supports float32, float64, bfloat16, float16, int32, int64, uint8 and bool tensors.
void write_tensors(const std::filesystem::path& path, const TensorFile& file);

/// The tensors point into the mapped file, which lives as long as they do. They must not be changed. Throws Error if
/// the file is missing, truncated or not a safetensors file. As the format demands, the tensors must cover all of the
/// data without overlap.
TensorFile read_tensors(const std::filesystem::path& path);

}  // namespace rfs
