#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "rfs/core/random.h"
#include "rfs/model/parameters.h"
#include "rfs/model/spec.h"

namespace rfs {

/// Names and shapes of a model's parameters.
std::vector<Parameters::Spec> parameter_list(const ModelSpec& spec);

/// For each parameter name: how the initial value of its i-th element is drawn.
std::map<std::string, std::function<double(Stream&, int64_t)>> initial_values(const ModelSpec& spec);

/// Prefixes of the names of learned tensors: those of a layer's encoding (one prefix for all layers of a kind if they
/// share it), and those of its attention rule.
std::string encoding_prefix(const LayerKind& kind, int64_t layer);
std::string rule_prefix(int64_t layer);

}  // namespace rfs
