#include "rfs/model/store.h"

#include <charconv>

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/core/limits.h"

namespace rfs {
namespace {

const std::string& text(const TensorFile& file, const std::string& where, const char* key) {
  const auto it = file.metadata.find(key);
  if (it == file.metadata.end()) {
    throw Error(rfs::format("{}: not a model saved by rfs: its metadata has no '{}'", where, key));
  }
  return it->second;
}

}  // namespace

TensorFile weights(const Decoder& decoder) {
  TensorFile file;
  for (const auto& [name, tensor] : decoder.parameters().items()) {
    file.tensors.emplace_back(name, tensor.detach().cpu());
  }
  return file;
}

torch::Tensor flat_weights(const Parameters& parameters, const TensorFile& file, const std::string& where) {
  std::vector<torch::Tensor> parts;
  for (const auto& [name, tensor] : parameters.items()) {
    const auto* found = file.find(name);
    if (!found) throw Error(rfs::format("{}: the weights '{}' are missing", where, name));
    if (found->sizes() != tensor.sizes()) {
      throw Error(rfs::format("{}: '{}' must have shape [{}], got [{}]", where, name, joined(tensor.sizes(), ", "),
                              joined(found->sizes(), ", ")));
    }
    parts.push_back(found->flatten().to(parameters.flat().scalar_type()));
  }
  return torch::cat(parts);
}

void set_weights(Decoder& decoder, const TensorFile& file, const std::string& where) {
  const torch::NoGradGuard no_gradient;
  decoder.parameters().flat().copy_(flat_weights(decoder.parameters(), file, where));
}

void save_model(const std::filesystem::path& path, const Decoder& decoder, const std::string& settings,
                int64_t trained_length) {
  TensorFile file = weights(decoder);
  file.metadata = {{"format", "rfs model 1"},
                   {"settings", settings},
                   {"vocabulary", std::to_string(decoder.vocabulary())},
                   {"trained_length", std::to_string(trained_length)}};
  write_tensors(path, file);
}

const std::string& stored_settings(const TensorFile& file, const std::string& where) {
  const std::string& format = text(file, where, "format");
  if (format != "rfs model 1") {
    throw Error(rfs::format("{}: must be of format 'rfs model 1', got '{}'", where, shortened(format)));
  }
  return text(file, where, "settings");
}

StoredModel load_model(const std::filesystem::path& path, torch::Device device) {
  return load_model(read_tensors(path), path.string(), device);
}

StoredModel load_model(TensorFile file, const std::string& where, torch::Device device) {
  const auto settings = ModelSettings::read(Settings::from_text(stored_settings(file, where), where));
  return load_model(std::move(file), where, device, settings);
}

StoredModel load_model(TensorFile file, const std::string& where, torch::Device device, const ModelSettings& settings) {
  const auto number = [&](const char* key, int64_t most) {
    const std::string& digits = text(file, where, key);
    int64_t value = 0;
    const auto end = digits.data() + digits.size();
    if (std::from_chars(digits.data(), end, value).ptr != end || value < 1 || value > most) {
      throw Error(rfs::format("{}: '{}' in its metadata must be an integer from 1 to {}, got '{}'", where, key, most,
                              shortened(digits)));
    }
    return value;
  };
  const std::string& text_of_settings = stored_settings(file, where);
  const int64_t vocabulary = number("vocabulary", int64_t{1} << 30),
                trained_length = number("trained_length", longest_row);
  const auto* embedding = file.find("embedding.weight");
  if (!embedding || embedding->dim() != 2 || embedding->size(0) != vocabulary) {
    throw Error(
        rfs::format("{}: has no embedding with {} rows, the vocabulary size in its metadata", where, vocabulary));
  }
  StoredModel model{std::make_unique<Decoder>(settings.spec(vocabulary, trained_length), torch::kFloat32, device),
                    text_of_settings, trained_length};
  set_weights(*model.decoder, file, where);
  if (!model.decoder->parameters().flat().isfinite().all().item<bool>()) {
    throw Error(rfs::format("{}: the model contains NaN or infinite weights", where));
  }
  return model;
}

}  // namespace rfs
