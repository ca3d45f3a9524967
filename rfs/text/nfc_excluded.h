#pragma once

#include "rfs/text/nfc_composed.h"

namespace rfs {

/// Decompositions that NFC leaves decomposed.
std::span<const NfcPair> nfc_excluded();

}  // namespace rfs
