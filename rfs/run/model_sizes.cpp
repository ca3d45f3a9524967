#include "rfs/run/model_sizes.h"

#include "rfs/core/format.h"
#include "rfs/core/words.h"
#include "rfs/run/settings.h"
#include "rfs/train/memory_estimate.h"

namespace rfs {
namespace {

constexpr int64_t vocabularies[] = {32'000, 50'257};  // Llama 2's and GPT-2's
constexpr int64_t rows = 16, window = 1024;

RunSettings settings_of(const std::string& preset, bool recompute = false) {
  Settings settings;
  settings.assign("model.preset=" + preset);
  settings.assign(rfs::format("train.batch={}", rows));
  if (recompute) settings.assign("train.recompute=true");
  return RunSettings::read(settings);
}

/// 1234567 as "1,234,567".
std::string grouped(double count) {
  std::string text = rfs::format("{:.0f}", count);
  for (auto at = static_cast<int64_t>(text.size()) - 3; at > 0; at -= 3) text.insert(static_cast<size_t>(at), ",");
  return text;
}

}  // namespace

std::string preset_summary(const std::string& preset) {
  const RunSettings settings = settings_of(preset);
  const DecoderOptions& o = settings.model;
  const int64_t keys = o.key_heads();
  return rfs::format("{} layers of width {}, {} heads of {}{}, feed-forward of {}; {} weights", *o.layers, *o.width,
                     *o.heads, *o.head_width, keys == *o.heads ? "" : rfs::format(" ({} for keys and values)", keys),
                     *o.feed_width, count_text(weight_count(settings.spec(vocabularies[0], window))));
}

std::string preset_details(const std::string& preset) {
  std::string text;
  for (const int64_t ids : vocabularies) {
    const double weights = weight_count(settings_of(preset).spec(ids, window));
    text += rfs::format("{} weights with a vocabulary of {}\n", grouped(weights), grouped(static_cast<double>(ids)));
  }
  for (const Tier tier : {Tier::engine, Tier::fused, Tier::reference}) {
    for (const bool recompute : {false, true}) {
      if (recompute && tier == Tier::engine) continue;
      const RunSettings settings = settings_of(preset, recompute);
      const ModelSpec spec = settings.spec(vocabularies[0], window);
      constexpr double tokens = rows * window;
      const auto memory = training_memory({spec, tier, /*gpu=*/true}, settings.train, {tokens, tokens, window});
      text += rfs::format("{} to train {} x {} tokens with train.tier={}{}: {}\n", bytes_text(memory.total()), rows,
                          grouped(window), enum_name(tier), recompute ? ", train.recompute=true" : "", memory.text());
    }
  }
  return text;
}

}  // namespace rfs
