#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "rfs/core/random.h"
#include "rfs/model/parameters.h"
#include "rfs/model/spec.h"

namespace rfs {

/// A model's parameters: names and shapes.
std::vector<Parameters::Spec> parameter_list(const ModelSpec& spec);

/// How the initial value of a parameter's i-th element is drawn, by the parameter's name.
std::map<std::string, std::function<double(Stream&, int64_t)>> initial_values(const ModelSpec& spec);

/// What the names of learned tensors begin with: of a layer's encoding (one for all layers of a kind that share it),
/// and of its attention rule.
std::string encoding_prefix(const LayerKind& kind, int64_t layer);
std::string rule_prefix(int64_t layer);

}  // namespace rfs
