#pragma once

#include <string>

#include "rfs/interchange/checkpoint.h"
#include "rfs/model/settings.h"

namespace rfs {

/// Writes [model], [encoding], [layers] and, with `positions`, [positions] of a checkpoint. `where` is the values'
/// origin for messages.
///
/// Linear RoPE scaling of an export of rfs, or with a factor below 1, becomes `random_float` positions with the same
/// step. Otherwise it becomes `encoding.scaling`.
void add_settings(Settings& settings, const CheckpointConfig& config, const std::string& where, bool positions);

/// The config of a model trained on up to `trained` tokens, for inputs of up to `tokens` tokens (at least `trained`).
/// RoPE depends only on position differences, so evenly spaced positions are linear RoPE scaling. Throws an Error that
/// starts with `where` if no checkpoint can express the model.
CheckpointConfig config_of(const ModelSettings& settings, int64_t vocabulary, int64_t trained, int64_t tokens,
                           const std::string& where);

}  // namespace rfs
