#include "rfs/interchange/gguf.h"

#include <bit>
#include <ostream>

#include "rfs/core/files.h"

namespace rfs {
namespace {

static_assert(std::endian::native == std::endian::little, "GGUF files are little-endian");

constexpr uint64_t alignment = 32;  // GGUF's default, for the data and for each tensor in it

// Type numbers of the format.
constexpr uint32_t type_uint32 = 4, type_int32 = 5, type_float = 6, type_bool = 7, type_string = 8, type_array = 9;
constexpr uint32_t tensor_float32 = 0;

uint64_t aligned(uint64_t size) {
  return (size + alignment - 1) / alignment * alignment;
}

class Bytes {
 public:
  template <class Number>
  void number(Number value) {
    text_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void string(const std::string& value) {
    number<uint64_t>(value.size());
    text_ += value;
  }
  void value(uint32_t value) { typed(type_uint32, value); }
  void value(int32_t value) { typed(type_int32, value); }
  void value(float value) { typed(type_float, value); }
  void value(bool value) { typed(type_bool, static_cast<uint8_t>(value)); }
  void value(const std::string& value) {
    number(type_string);
    string(value);
  }
  void value(const std::vector<int32_t>& values) {
    array(type_int32, values.size());
    for (const int32_t value : values) number(value);
  }
  void value(const std::vector<float>& values) {
    array(type_float, values.size());
    for (const float value : values) number(value);
  }
  void value(const std::vector<std::string>& values) {
    array(type_string, values.size());
    for (const auto& value : values) string(value);
  }
  void align() { text_.resize(aligned(text_.size()), '\0'); }
  const std::string& text() const { return text_; }

 private:
  template <class Number>
  void typed(uint32_t type, Number value) {
    number(type);
    number(value);
  }
  void array(uint32_t type, uint64_t size) {
    number(type_array);
    number(type);
    number(size);
  }
  std::string text_;
};

}  // namespace

void write_gguf(const std::filesystem::path& path, const GgufFile& file) {
  Bytes header;
  for (const char letter : {'G', 'G', 'U', 'F'}) header.number(letter);
  header.number<uint32_t>(3);  // version
  header.number<uint64_t>(file.tensors.size());
  header.number<uint64_t>(file.metadata.size());
  for (const auto& [key, value] : file.metadata) {
    header.string(key);
    std::visit([&](const auto& typed) { header.value(typed); }, value);
  }
  uint64_t offset = 0;
  std::vector<torch::Tensor> contents;
  for (const auto& [name, tensor] : file.tensors) {
    TORCH_CHECK(tensor.scalar_type() == torch::kFloat32, "gguf: '", name, "' must be float32");
    contents.push_back(tensor.detach().cpu().contiguous());
    header.string(name);
    header.number<uint32_t>(static_cast<uint32_t>(tensor.dim()));
    for (int64_t dim = tensor.dim(); dim-- > 0;) header.number<uint64_t>(static_cast<uint64_t>(tensor.size(dim)));
    header.number(tensor_float32);
    header.number(offset);
    offset += aligned(contents.back().nbytes());
  }
  header.align();
  write_file(path, [&](std::ostream& out) {
    out << header.text();
    for (const auto& content : contents) {
      out.write(static_cast<const char*>(content.const_data_ptr()), static_cast<std::streamsize>(content.nbytes()));
      out << std::string(aligned(content.nbytes()) - content.nbytes(), '\0');
    }
  });
}

}  // namespace rfs
