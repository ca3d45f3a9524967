#include "rfs/interchange/family.h"

#include <algorithm>

#include "rfs/core/format.h"

namespace rfs {

std::unique_ptr<ModelFamily> family_named(const std::string& name, const std::string& where) {
  const auto names = Registry<ModelFamily>::names();
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    throw Error(where + ": " + unknown("'model_type'", name, names));
  }
  return Registry<ModelFamily>::find(name, where).make(NoOptions());
}

std::string family_for(const CheckpointConfig& config, const std::string& where) {
  const std::string nearest = config.norm == Norm::rms ? "llama" : config.learned_rows > 0 ? "gpt2" : "gpt_neox";
  std::string problem;
  for (const std::string& name :
       {nearest, std::string("mistral"), std::string("qwen2"), std::string("qwen3"), std::string("smollm3")}) {
    const auto family = family_named(name, where);
    const std::string refusal = family->refusal(config);
    if (refusal.empty()) return name;
    if (name == nearest) problem = rfs::format("{} for export as {}", refusal, family->title());
  }
  throw Error(rfs::format("{}: {}, and no other family of transformers that rfs knows has this model", where, problem));
}

std::string unless(bool holds, const std::string& what, const std::string& wanted) {
  return holds ? "" : rfs::format("{} must be {}", what, wanted);
}

}  // namespace rfs
