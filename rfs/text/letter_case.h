#pragma once

#include <cstdint>

namespace rfs {

/// A code point in lower case, and in title case. Only Unicode's one-to-one mappings apply: code points that map to
/// several, such as the German sharp s, stay unchanged.
uint32_t lower_case(uint32_t code);
uint32_t title_case(uint32_t code);

}  // namespace rfs
