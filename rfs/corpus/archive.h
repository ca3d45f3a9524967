#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "rfs/corpus/bytes.h"

namespace rfs {

/// Whether bytes begin like a tar archive or something compressed by gzip, xz or zstd. Text never does.
bool is_packed(std::string_view head);

/// Unpacks bytes that are packed. `body` gets each file's name ("" where one file was compressed without a name) and
/// content; it need not read all of it, and may return false to end early. `name` stands in messages. Throws Error
/// where the archive is broken, and where the program was built without libarchive.
void unpack(Bytes& packed, const std::string& name,
            const std::function<bool(const std::string& file, Bytes& content)>& body);

}  // namespace rfs
