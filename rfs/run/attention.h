#pragma once

#include <string>
#include <vector>

#include "rfs/records/run.h"
#include "rfs/run/events.h"

namespace rfs {

/// Writes attention.json: what each head of a trained run looks at, for the first sample of each of these lengths.
/// Without lengths: the longest trained one, and the tested one nearest to one and a half times that. Returns what was
/// written, in words. Throws Error.
std::string write_attention(const Run& run, std::vector<int64_t> lengths, const RunContext& context = {});

}  // namespace rfs
