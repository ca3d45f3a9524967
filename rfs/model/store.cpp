#include "rfs/model/store.h"

#include <fmt/ranges.h>

#include <charconv>

#include "rfs/core/error.h"

namespace rfs {

TensorFile weights(const Decoder& decoder) {
  TensorFile file;
  for (const auto& [name, tensor] : decoder.parameters().items()) file.tensors.emplace_back(name, tensor);
  return file;
}

torch::Tensor flat_weights(const Parameters& parameters, const TensorFile& file, const std::string& where) {
  std::vector<torch::Tensor> parts;
  for (const auto& [name, tensor] : parameters.items()) {
    const auto* found = file.find(name);
    if (!found) throw Error(fmt::format("{}: must hold the weights '{}', got none", where, name));
    if (found->sizes() != tensor.sizes()) {
      throw Error(fmt::format("{}: '{}' must have shape [{}], got [{}]", where, name, fmt::join(tensor.sizes(), ", "),
                              fmt::join(found->sizes(), ", ")));
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

StoredModel load_model(const std::filesystem::path& path) {
  const TensorFile file = read_tensors(path);
  const auto text = [&](const char* key) -> const std::string& {
    const auto it = file.metadata.find(key);
    if (it == file.metadata.end()) {
      throw Error(
          fmt::format("{}: must be a model saved by rfs, got a file without '{}' in its metadata", path.string(), key));
    }
    return it->second;
  };
  const auto number = [&](const char* key) {
    const std::string& digits = text(key);
    int64_t value = 0;
    const auto end = digits.data() + digits.size();
    if (std::from_chars(digits.data(), end, value).ptr != end || value < 1) {
      throw Error(
          fmt::format("{}: '{}' in its metadata must be a positive integer, got '{}'", path.string(), key, digits));
    }
    return value;
  };
  if (text("format") != "rfs model 1") {
    throw Error(fmt::format("{}: must be of format 'rfs model 1', got '{}'", path.string(), text("format")));
  }
  const auto settings = Settings::from_text(text("settings"), path.string());
  const auto encoding = Choice<PositionEncoding>::read(settings.find("encoding"), "rope");
  const auto options = DecoderOptions::read(settings.find("model"));
  const auto* embedding = file.find("embedding.weight");
  if (!embedding || embedding->dim() != 2 || embedding->size(0) != number("vocabulary")) {
    throw Error(fmt::format("{}: must hold an embedding of {} rows, got none", path.string(), number("vocabulary")));
  }
  StoredModel model{std::make_unique<Decoder>(options, number("vocabulary"), encoding.make()), text("settings"),
                    number("trained_length")};
  set_weights(*model.decoder, file, path.string());
  return model;
}

}  // namespace rfs
