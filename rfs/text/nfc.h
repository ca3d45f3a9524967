#pragma once

#include <string>
#include <string_view>

namespace rfs {

/// A UTF-8 text in Unicode's normalization form C (Unicode 9, like the Python package `tokenizers`). Bytes that are not
/// valid UTF-8 stay as they are.
std::string nfc(std::string_view text);

}  // namespace rfs
