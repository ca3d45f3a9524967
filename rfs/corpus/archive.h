#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "rfs/corpus/bytes.h"

namespace rfs {

/// True if the bytes begin like a tar archive or like gzip, xz or zstd data. Text never does.
bool is_packed(std::string_view head);

/// Unpacks an archive or compressed file. Calls `body` with each file's name ("" for a single compressed file without a
/// name) and content. `body` need not read all of it, and can return false to stop. `name` appears in messages. Throws
/// Error if the archive is broken or the program was built without libarchive.
void unpack(Bytes& packed, const std::string& name,
            const std::function<bool(const std::string& file, Bytes& content)>& body);

}  // namespace rfs
