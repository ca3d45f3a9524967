#include "rfs/corpus/shard.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/core/sha256.h"

namespace rfs {
namespace {

struct Header {
  char magic[8];
  int64_t width, documents, tokens;
};
constexpr char magic[8] = {'R', 'F', 'S', 'S', 'H', 'R', 'D', '1'};

template <class Id>
void copy(const std::byte* ids, int64_t first, std::span<int32_t> to) {
  const auto* from = reinterpret_cast<const Id*>(ids) + first;
  std::transform(from, from + to.size(), to.begin(), [](Id id) { return static_cast<int32_t>(id); });
}

std::string_view view(const void* data, size_t size) {
  return {static_cast<const char*>(data), size};
}

}  // namespace

Shard::Shard(const std::filesystem::path& path) : path_(path), file_(path) {
  const auto bytes = file_.bytes();
  const auto fail = [&](const std::string& got) {
    return Error(rfs::format("{}: not a complete corpus shard: {}", path.string(), got));
  };
  Header header{};
  if (bytes.size() < sizeof header) throw fail(rfs::format("it has only {} bytes", bytes.size()));
  std::memcpy(&header, bytes.data(), sizeof header);
  if (std::memcmp(header.magic, magic, sizeof magic) != 0) throw fail("unknown format");
  const auto left = static_cast<int64_t>(bytes.size() - sizeof header);
  const auto [documents, tokens, width] = std::tuple(header.documents, header.tokens, header.width);
  if ((width != 2 && width != 4) || documents < 0 || tokens < 0 || documents > left / 8 || tokens > left / width ||
      8 * documents + width * tokens != left) {
    throw fail(rfs::format("{} bytes for {} documents with {} tokens", left, documents, tokens));
  }
  tokens_ = tokens;
  width_ = width;
  ends_ = {reinterpret_cast<const int64_t*>(bytes.data() + sizeof header), static_cast<size_t>(documents)};
  ids_ = bytes.data() + sizeof header + 8 * documents;
  int64_t before = 0;
  for (const int64_t end : ends_) {
    if (end <= before) throw fail("a document ends before it begins");
    before = end;
  }
  if (before != tokens) throw fail("its documents do not cover its tokens");
}

void Shard::read(int64_t first, std::span<int32_t> to) const {
  if (first < 0 || first > tokens_ || static_cast<int64_t>(to.size()) > tokens_ - first) {
    throw std::out_of_range("Shard::read: beyond its tokens");
  }
  width_ == 2 ? copy<uint16_t>(ids_, first, to) : copy<uint32_t>(ids_, first, to);
}

std::string Shard::sha256() const {
  return Sha256().add(view(file_.bytes().data(), file_.bytes().size())).hex();
}

std::string write_shard(const std::filesystem::path& path, int64_t width, std::span<const int64_t> ends,
                        std::span<const int32_t> ids) {
  Header header{{}, width, static_cast<int64_t>(ends.size()), static_cast<int64_t>(ids.size())};
  std::memcpy(header.magic, magic, sizeof magic);
  Sha256 hash;
  write_file(path, [&](std::ostream& out) {
    const auto write = [&](std::string_view bytes) {
      hash.add(bytes);
      out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    };
    write(view(&header, sizeof header));
    write(view(ends.data(), ends.size_bytes()));
    if (width == 4) return write(view(ids.data(), ids.size_bytes()));
    std::vector<uint16_t> narrow;
    for (size_t at = 0; at < ids.size(); at += narrow.size()) {
      const auto some = ids.subspan(at, std::min<size_t>(65'536, ids.size() - at));
      narrow.assign(some.begin(), some.end());
      write(view(narrow.data(), 2 * narrow.size()));
    }
  });
  return hash.hex();
}

}  // namespace rfs
