#include "rfs/corpus/archive.h"

#include <archive.h>
#include <archive_entry.h>

#include <exception>
#include <memory>

#include "rfs/core/error.h"
#include "rfs/core/format.h"

namespace rfs {
namespace {

/// The input of libarchive, which asks for the next bytes when it has used the previous ones.
struct Input {
  Bytes& bytes;
  size_t given = 0;
  std::exception_ptr failure = {};  // exceptions must not pass through C code
};

la_ssize_t give(archive*, void* data, const void** bytes) {
  auto& input = *static_cast<Input*>(data);
  try {
    input.bytes.take(input.given);
    const auto ahead = input.bytes.ahead(1);
    *bytes = ahead.data();
    input.given = ahead.size();
    return static_cast<la_ssize_t>(ahead.size());
  } catch (...) {
    input.failure = std::current_exception();
    return -1;
  }
}

}  // namespace

void unpack(Bytes& packed, const std::string& name,
            const std::function<bool(const std::string& file, Bytes& content)>& body) {
  Input input{packed};
  const std::unique_ptr<archive, int (*)(archive*)> reader(archive_read_new(), archive_read_free);
  if (!reader) throw std::bad_alloc();
  const auto check = [&](la_ssize_t code) {
    if (code >= ARCHIVE_WARN) return;
    if (input.failure) std::rethrow_exception(input.failure);
    const char* reason = archive_error_string(reader.get());
    throw Error(rfs::format("{}: cannot unpack this file: {}", name, reason ? reason : "unknown error"));
  };
  archive_read_support_filter_gzip(reader.get());
  archive_read_support_filter_xz(reader.get());
  archive_read_support_filter_zstd(reader.get());
  archive_read_support_format_tar(reader.get());
  archive_read_support_format_raw(reader.get());
  archive_read_support_format_empty(reader.get());
  check(archive_read_open(reader.get(), &input, nullptr, give, nullptr));
  archive_entry* entry = nullptr;
  for (;;) {
    const int code = archive_read_next_header(reader.get(), &entry);
    if (code == ARCHIVE_EOF) return;
    check(code);
    const bool raw = archive_format(reader.get()) == ARCHIVE_FORMAT_RAW;
    if (!raw && archive_entry_filetype(entry) != AE_IFREG) continue;
    const char* path = archive_entry_pathname(entry);
    Bytes content([&](std::span<char> to) {
      const la_ssize_t count = archive_read_data(reader.get(), to.data(), to.size());
      check(count);
      return static_cast<size_t>(std::max<la_ssize_t>(0, count));
    });
    if (!body(raw ? "" : path ? path : "a file without a name", content)) return;
  }
}

}  // namespace rfs
