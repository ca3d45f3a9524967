#pragma once

#include <torch/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace rfs {

/// Typed metadata and named float32 tensors in ggml's GGUF container, version 3.
struct GgufFile {
  using Value = std::variant<uint32_t, int32_t, float, bool, std::string, std::vector<int32_t>, std::vector<float>,
                             std::vector<std::string>>;
  std::vector<std::pair<std::string, Value>> metadata;
  std::vector<std::pair<std::string, torch::Tensor>> tensors;
};

/// Writes atomically.
void write_gguf(const std::filesystem::path& path, const GgufFile& file);

}  // namespace rfs
