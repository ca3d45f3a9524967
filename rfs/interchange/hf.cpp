#include "rfs/interchange/hf.h"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/core/mapped_file.h"
#include "rfs/interchange/hf_config.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

bool is_qkv(const NeoxTensor& tensor) {
  return tensor.ours.find("attention.qkv.") != std::string::npos;
}

[[noreturn]] void refuse_pickle(const fs::path& path) {
  throw Error(
      rfs::format("{}: must be safetensors, got a pickle, which could run any code; if you trust it, convert it: "
                  "python3 -c \"from transformers import GPTNeoXForCausalLM as M; "
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
  const auto json = Json::parse(read_file(index), nullptr, false);
  const auto map = json.is_object() ? json.find("weight_map") : json.end();
  if (!json.is_object() || map == json.end() || !map->is_object()) {
    throw Error(rfs::format("{}: must be a JSON object with 'weight_map'", index.string()));
  }
  std::set<std::string> names;
  for (const auto& [tensor, file] : map->items()) {
    const std::string name = file.is_string() ? file.get<std::string>() : "";
    if (name.empty() || name != fs::path(name).filename()) {
      throw Error(rfs::format("{}: '{}' must name a file in this folder, got {}", index.string(), shortened(tensor),
                              shortened(file.dump())));
    }
    names.insert(name);
  }
  TensorFile all;
  for (const auto& name : names) {
    TensorFile part = read_safetensors(folder / name);
    all.tensors.insert(all.tensors.end(), part.tensors.begin(), part.tensors.end());
    all.metadata.merge(part.metadata);
  }
  return all;
}

/// Tensors of old checkpoints that are not weights: masks and frequencies, which follow from the config.
bool is_constant(const std::string& name) {
  return name.ends_with(".attention.bias") || name.ends_with(".attention.masked_bias") ||
         name.ends_with(".rotary_emb.inv_freq");
}

}  // namespace

void write_hf(const fs::path& folder, const NeoxConfig& config, const TensorFile& weights,
              const std::map<std::string, std::string>& metadata, const std::optional<Bpe>& bpe) {
  TensorFile file;
  for (const auto& tensor : neox_tensors(config)) {
    torch::Tensor value = *weights.find(tensor.ours);
    if (is_qkv(tensor)) value = by_head(halves_from_pairs(value, config), config);
    file.tensors.emplace_back(tensor.hf, value);
  }
  file.metadata = metadata;
  file.metadata["format"] = "pt";  // `transformers` requires it
  write_tensors(folder / "model.safetensors", file);
  if (bpe) {
    const Json end = "<|endoftext|>";
    const Json tokenizer = {{"tokenizer_class", "GPT2Tokenizer"},
                            {"add_prefix_space", false},
                            {"bos_token", end},
                            {"eos_token", end},
                            {"unk_token", end},
                            {"clean_up_tokenization_spaces", false},
                            {"model_max_length", config.tokens}};
    write_file(folder / "vocab.json", bpe->encoder);
    write_file(folder / "merges.txt", bpe->merges);
    write_file(folder / "tokenizer_config.json", tokenizer.dump(2) + "\n");
  }
  Json generation = {{"max_length", config.tokens}};
  if (config.end >= 0) generation["eos_token_id"] = config.end;
  write_file(folder / "generation_config.json", generation.dump(2) + "\n");
  write_file(folder / "config.json", hf_config(config));
}

HfModel read_hf(const fs::path& folder) {
  HfModel model{read_hf_config(folder / "config.json"), {}};
  const TensorFile file = read_folder(folder);
  std::set<std::string> known;
  for (const auto& tensor : neox_tensors(model.config)) {
    known.insert(tensor.hf);
    const torch::Tensor* found = file.find(tensor.hf);
    if (!found) throw Error(rfs::format("{}: the tensor '{}' is missing", folder.string(), tensor.hf));
    if (found->sizes() != torch::IntArrayRef(tensor.shape)) {
      throw Error(rfs::format("{}: '{}' must have shape [{}], as config.json says, got [{}]", folder.string(),
                              tensor.hf, joined(tensor.shape, ", "), joined(found->sizes(), ", ")));
    }
    if (!found->is_floating_point()) {
      throw Error(rfs::format("{}: '{}' must be a floating-point tensor", folder.string(), tensor.hf));
    }
    torch::Tensor value = found->to(torch::kFloat32);
    if (is_qkv(tensor)) value = pairs_from_halves(by_kind(value, model.config), model.config);
    model.weights.tensors.emplace_back(tensor.ours, value);
  }
  for (const auto& [name, tensor] : file.tensors) {
    const bool tied_head = model.config.tied && name == "embed_out.weight";
    if (!known.contains(name) && !is_constant(name) && !tied_head) {
      throw Error(rfs::format("{}: unknown tensor '{}'; GPT-NeoX does not have it", folder.string(), shortened(name)));
    }
  }
  model.weights.metadata = file.metadata;
  return model;
}

}  // namespace rfs
