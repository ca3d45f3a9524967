#pragma once

#include <cstdint>

namespace rfs {

/// A code point in lower case, and as the first letter of a word: Unicode's mappings of one to one (those to several,
/// such as that of the German sharp s, leave it as it is).
uint32_t lower_case(uint32_t code);
uint32_t title_case(uint32_t code);

}  // namespace rfs
