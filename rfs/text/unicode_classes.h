#pragma once

#include <string_view>

namespace rfs {

/// Contents of character classes of a PCRE2 pattern. White space is Unicode's White_Space property (PCRE2's class also
/// has U+180E). Letters and numbers added in Unicode 15 and 16 are listed explicitly: Debian's PCRE2 knows Unicode 14,
/// and texts must split the same way everywhere.
extern const std::string_view space_class, letter_class, number_class;

}  // namespace rfs
