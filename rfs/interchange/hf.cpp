#include "rfs/interchange/hf.h"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/core/mapped_file.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void refuse_pickle(const fs::path& path) {
  throw Error(
      rfs::format("{}: must be safetensors, got a pickle, which could run any code; if you trust it, convert it: "
                  "python3 -c \"from transformers import AutoModelForCausalLM as M; "
                  "M.from_pretrained('{}').save_pretrained('NEW')\"",
                  path.string(), path.parent_path().string()));
}

/// True for a zip file (torch.save writes those) or a bare pickle. A safetensors file has the size of its header there.
bool is_pickle(const fs::path& path) {
  const MappedFile file(path);
  std::string begin(8, '\0');
  std::memcpy(begin.data(), file.bytes().data(), std::min(begin.size(), file.bytes().size()));
  const bool small_size = begin.substr(4) == std::string(4, '\0');
  return !small_size && (begin.starts_with("PK\3\4") || (begin[0] == '\x80' && begin[1] >= 2 && begin[1] <= 5));
}

TensorFile read_safetensors(const fs::path& path) {
  if (is_pickle(path)) refuse_pickle(path);
  return read_tensors(path);
}

/// The files that hold each tensor, as an index says.
std::map<std::string, std::string> read_index(const fs::path& index) {
  const auto json = Json::parse(read_file(index), nullptr, false);
  const auto map = json.is_object() ? json.find("weight_map") : json.end();
  if (!json.is_object() || map == json.end() || !map->is_object()) {
    throw Error(rfs::format("{}: must be a JSON object with 'weight_map'", index.string()));
  }
  std::map<std::string, std::string> files;
  for (const auto& [tensor, file] : map->items()) {
    const std::string name = file.is_string() ? file.get<std::string>() : "";
    if (name.empty() || name == "." || name == ".." || name.find('\0') != std::string::npos ||
        name != fs::path(name).filename()) {
      throw Error(rfs::format("{}: '{}' must name a file in this folder, got {}", index.string(), shortened(tensor),
                              shortened(file.dump())));
    }
    files[tensor] = name;
  }
  return files;
}

/// All tensors of the folder: from one file, or from the files that its index names.
TensorFile read_folder(const fs::path& folder) {
  std::error_code ignored;
  const fs::path whole = folder / "model.safetensors", index = folder / "model.safetensors.index.json";
  if (fs::exists(whole, ignored)) return read_safetensors(whole);
  if (!fs::exists(index, ignored)) {
    for (const char* name : {"pytorch_model.bin", "pytorch_model.bin.index.json"}) {
      if (fs::exists(folder / name, ignored)) refuse_pickle(folder / name);
    }
    throw Error(rfs::format("{}: has neither model.safetensors nor model.safetensors.index.json", folder.string()));
  }
  const auto files = read_index(index);
  std::set<std::string> names;
  for (const auto& [tensor, file] : files) names.insert(file);
  TensorFile all;
  std::map<std::string, std::string> found;
  for (const auto& name : names) {
    TensorFile part = read_safetensors(folder / name);
    for (auto& [tensor, value] : part.tensors) {
      const auto [first, is_new] = found.emplace(tensor, name);
      if (!is_new) {
        throw Error(rfs::format("{}: the tensor '{}' is in {} and in {}", folder.string(), shortened(tensor),
                                first->second, name));
      }
      all.tensors.emplace_back(tensor, value);
    }
    all.metadata.merge(part.metadata);
  }
  for (const auto& [tensor, name] : files) {
    if (const auto place = found.find(tensor); place == found.end() || place->second != name) {
      throw Error(rfs::format("{}: the tensor '{}' is not in {}", index.string(), shortened(tensor), name));
    }
  }
  return all;
}

/// Tensors of old checkpoints that are not weights: masks and frequencies, which follow from the config.
bool is_constant(const std::string& name) {
  return name.ends_with(".attention.bias") || name.ends_with(".attn.bias") || name.ends_with(".masked_bias") ||
         name.ends_with("rotary_emb.inv_freq");
}

/// The name of a tensor in a checkpoint whose names may lack the family's prefix.
std::string name_in(const TensorFile& file, const ModelFamily& family, const std::string& name) {
  const std::string prefix = family.prefix();
  if (!file.find(name) && name.starts_with(prefix) && file.find(name.substr(prefix.size()))) {
    return name.substr(prefix.size());
  }
  return name;
}

void require_tensors(const Checkpoint& checkpoint) {
  const TensorFile& file = checkpoint.file;
  const std::string folder = checkpoint.folder.string(), title = checkpoint.family->title();
  std::set<std::string> known;
  for (const auto& tensor : checkpoint.family->tensors(checkpoint.config)) {
    const std::string name = name_in(file, *checkpoint.family, tensor.hf);
    known.insert(name);
    const torch::Tensor* found = file.find(name);
    if (!found) throw Error(rfs::format("{}: the tensor '{}' is missing", folder, tensor.hf));
    if (found->sizes() != torch::IntArrayRef(tensor.shape)) {
      throw Error(rfs::format("{}: '{}' must have shape [{}], as config.json says, got [{}]", folder, tensor.hf,
                              joined(tensor.shape, ", "), joined(found->sizes(), ", ")));
    }
    if (!found->is_floating_point()) {
      throw Error(rfs::format("{}: '{}' must be a floating-point tensor", folder, tensor.hf));
    }
  }
  const bool tied = checkpoint.config.tied;
  for (const auto& [name, tensor] : file.tensors) {
    const bool tied_head = tied && (name == "lm_head.weight" || name == "embed_out.weight");
    if (!known.contains(name) && !is_constant(name) && !tied_head) {
      throw Error(rfs::format("{}: unknown tensor '{}'; {} does not have it", folder, shortened(name), title));
    }
  }
}

}  // namespace

std::string hf_config(const ModelFamily& family, const CheckpointConfig& config, const std::string& model_type) {
  Json json = {{"architectures", {family.architecture()}}, {"model_type", model_type}};
  json.update(family.write(config));
  write_tokens(json, config);
  return json.dump(2) + "\n";
}

CheckpointConfig read_hf_config(const fs::path& path, std::unique_ptr<ModelFamily>& family) {
  const auto json = Json::parse(read_file(path), nullptr, false);
  if (!json.is_object())
    throw Error(path.string() + ": not a JSON object; the file is damaged, cut off or of another kind");
  ConfigKeys keys(json, path.string());
  family = family_named(keys.text("model_type", ""), path.string());
  if (keys.find("quantization_config")) {
    throw Error(
        rfs::format("{}: 'quantization_config' is not supported; import the model before quantization", path.string()));
  }
  require_decoder(keys, family->architecture());
  CheckpointConfig config;
  family->read(keys, config);
  keys.require_known();
  return config;
}

namespace {

/// Chat models often have their ends of text only in generation_config.json.
void add_generation_ids(const fs::path& path, CheckpointConfig& config) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return;
  const auto json = Json::parse(read_file(path), nullptr, false);
  if (!json.is_object())
    throw Error(path.string() + ": not a JSON object; the file is damaged, cut off or of another kind");
  ConfigKeys keys(json, path.string());
  add_token_ids(keys, config);
}

}  // namespace

Checkpoint read_hf(const fs::path& folder) {
  Checkpoint checkpoint;
  checkpoint.folder = folder;
  checkpoint.config = read_hf_config(folder / "config.json", checkpoint.family);
  add_generation_ids(folder / "generation_config.json", checkpoint.config);
  checkpoint.file = read_folder(folder);
  require_tensors(checkpoint);
  return checkpoint;
}

void copy_weights(const Checkpoint& checkpoint, Decoder& decoder) {
  const torch::NoGradGuard no_gradient;
  for (const auto& tensor : checkpoint.family->tensors(checkpoint.config)) {
    const auto& theirs = *checkpoint.file.find(name_in(checkpoint.file, *checkpoint.family, tensor.hf));
    decoder.parameters()[tensor.ours]
        .narrow(0, tensor.begin, tensor.rows())
        .copy_(rows_of_ours(tensor, theirs, checkpoint.config));
    if (!decoder.parameters()[tensor.ours].isfinite().all().item<bool>()) {
      throw Error(rfs::format("{}: '{}' contains NaN or infinite weights", checkpoint.folder.string(), tensor.hf));
    }
  }
  for (const auto& [name, tensor] : decoder.parameters().items()) {
    tensor.copy_(pairs_from_halves(name, tensor, checkpoint.config));
  }
}

void write_hf(const fs::path& folder, const ModelFamily& family, const CheckpointConfig& config,
              const std::string& model_type, const TensorFile& weights,
              const std::map<std::string, std::string>& metadata, const TokenizerFiles& tokenizer) {
  TensorFile file;
  for (const auto& tensor : family.tensors(config)) {
    const auto halves = halves_from_pairs(tensor.ours, *weights.find(tensor.ours), config);
    file.tensors.emplace_back(tensor.hf, tensor_of_checkpoint(tensor, halves, config));
  }
  file.metadata = metadata;
  file.metadata["format"] = "pt";  // `transformers` requires it
  write_tensors(folder / "model.safetensors", file);
  for (const auto& [name, content] : tokenizer.hf(config.tokens)) write_file(folder / name, content);
  Json generation = {{"max_length", config.tokens}};
  write_token_ids(generation, config.ids);
  write_file(folder / "generation_config.json", generation.dump(2) + "\n");
  write_file(folder / "config.json", hf_config(family, config, model_type));
}

}  // namespace rfs
