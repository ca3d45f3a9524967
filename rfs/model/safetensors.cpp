#include "rfs/model/safetensors.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <new>
#include <nlohmann/json.hpp>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/core/mapped_file.h"

namespace rfs {
namespace {

static_assert(std::endian::native == std::endian::little, "safetensors are little-endian");

using Json = nlohmann::ordered_json;

const std::vector<std::pair<std::string, torch::Dtype>> dtypes = {
    {"F32", torch::kFloat32}, {"F64", torch::kFloat64}, {"BF16", torch::kBFloat16}, {"F16", torch::kFloat16},
    {"I32", torch::kInt32},   {"I64", torch::kInt64},   {"U8", torch::kUInt8},      {"BOOL", torch::kBool}};

/// A tensor inside the mapped file, or a copy if it is not aligned to its element size.
torch::Tensor tensor_at(const char* data, uint64_t size, const std::vector<int64_t>& shape, torch::Dtype type,
                        const MappedFile& file) {
  if (size > 0 && reinterpret_cast<uintptr_t>(data) % c10::elementSize(type) == 0) {
    return torch::from_blob(
        const_cast<char*>(data), shape, [file](void*) {}, torch::dtype(type));
  }
  const auto copy = torch::empty(shape, type);
  if (size > 0) std::memcpy(copy.data_ptr(), data, size);
  return copy;
}

}  // namespace

const torch::Tensor* TensorFile::find(const std::string& name) const {
  for (const auto& [key, tensor] : tensors) {
    if (key == name) return &tensor;
  }
  return nullptr;
}

void write_tensors(const std::filesystem::path& path, const TensorFile& file) {
  Json header = Json::object();
  if (!file.metadata.empty()) header["__metadata__"] = file.metadata;
  std::vector<torch::Tensor> contents;
  int64_t offset = 0;
  for (const auto& [name, tensor] : file.tensors) {
    contents.push_back(tensor.detach().cpu().contiguous());
    std::string dtype;
    for (const auto& [key, type] : dtypes) {
      if (type == tensor.scalar_type()) dtype = key;
    }
    TORCH_CHECK(!dtype.empty(), "safetensors: unsupported type ", tensor.scalar_type());
    const auto bytes = static_cast<int64_t>(contents.back().nbytes());
    header[name] = {{"dtype", dtype}, {"shape", tensor.sizes().vec()}, {"data_offsets", {offset, offset + bytes}}};
    offset += bytes;
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');  // the data begins at a multiple of eight
  write_file(path, [&](std::ostream& out) {
    const uint64_t size = text.size();
    out.write(reinterpret_cast<const char*>(&size), sizeof size);
    out << text;
    for (const auto& content : contents) {
      out.write(static_cast<const char*>(content.const_data_ptr()), static_cast<std::streamsize>(content.nbytes()));
    }
  });
}

TensorFile read_tensors(const std::filesystem::path& path) try {
  const MappedFile mapped(path);
  const std::string_view bytes(reinterpret_cast<const char*>(mapped.bytes().data()), mapped.bytes().size());
  const auto fail = [&](const std::string& what) -> Error {
    return Error(rfs::format("{}: must be a whole safetensors file, got {}", path.string(), what));
  };
  uint64_t header_size = 0;
  if (bytes.size() < sizeof header_size) throw fail(rfs::format("{} bytes", bytes.size()));
  std::memcpy(&header_size, bytes.data(), sizeof header_size);
  if (header_size > bytes.size() - sizeof header_size) {
    throw fail(rfs::format("{} bytes for a header of {}", bytes.size(), header_size));
  }
  const auto data = bytes.substr(sizeof header_size + header_size);
  const auto header = Json::parse(bytes.substr(sizeof header_size, header_size), nullptr, false);
  if (!header.is_object()) throw fail("a header that is not a JSON object");

  TensorFile file;
  std::string name;
  std::vector<std::array<uint64_t, 2>> places;
  try {
    for (const auto& [key, entry] : header.items()) {
      name = key;
      if (name == "__metadata__") {
        file.metadata = entry.get<std::map<std::string, std::string>>();
        continue;
      }
      const auto dtype = entry.at("dtype").get<std::string>();
      const auto shape = entry.at("shape").get<std::vector<int64_t>>();
      const auto place = entry.at("data_offsets").get<std::array<uint64_t, 2>>();
      const auto type =
          std::find_if(dtypes.begin(), dtypes.end(), [&](const auto& pair) { return pair.first == dtype; });
      if (type == dtypes.end()) {
        throw fail(rfs::format("tensor '{}' of type '{}'", shortened(name), shortened(dtype)));
      }
      uint64_t size = c10::elementSize(type->second);
      for (const int64_t dim : shape) {
        if (dim < 0 || (dim > 0 && size > data.size() / static_cast<uint64_t>(dim))) {
          throw fail(rfs::format("tensor '{}' larger than the file (truncated?)", shortened(name)));
        }
        size *= static_cast<uint64_t>(dim);
      }
      if (place[0] > place[1] || place[1] > data.size() || place[1] - place[0] != size) {
        throw fail(rfs::format("tensor '{}' at bytes {} to {} of {} (truncated?)", shortened(name), place[0], place[1],
                               data.size()));
      }
      places.push_back(place);
      file.tensors.emplace_back(name, tensor_at(data.data() + place[0], size, shape, type->second, mapped));
    }
  } catch (const nlohmann::json::exception&) {
    throw fail(rfs::format("a malformed header entry '{}'", shortened(name)));
  }
  std::sort(places.begin(), places.end());
  uint64_t covered = 0;
  for (const auto& [begin, end] : places) {
    if (begin < covered) throw fail(rfs::format("two tensors that share the data's byte {}", begin));
    if (begin > covered) throw fail(rfs::format("bytes {} to {} of the data that no tensor uses", covered, begin));
    covered = end;
  }
  if (covered != data.size()) throw fail(rfs::format("{} bytes after the last tensor", data.size() - covered));
  return file;
} catch (const std::bad_alloc&) {
  throw too_little_memory(path);
}

}  // namespace rfs
