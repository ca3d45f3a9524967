#pragma once

#include <cstdint>
#include <span>

namespace rfs {

/// A code point and its canonical decomposition; `second` is 0 if it is a single code point.
struct NfcPair {
  uint32_t code, first, second;
};
/// A run of code points of one combining class. Code points outside all runs have class 0.
struct NfcClass {
  uint32_t first, last;
  uint8_t number;
};

std::span<const NfcPair> nfc_composed();  ///< pairs that NFC composes
std::span<const NfcClass> nfc_classes();  ///< sorted

}  // namespace rfs
