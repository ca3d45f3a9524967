#include "rfs/interchange/checkpoint_settings.h"

#include <algorithm>

#include "rfs/core/error.h"
#include "rfs/core/format.h"

namespace rfs {
namespace {

template <class T>
T option(const Options& options, const std::string& name) {
  for (const auto& entry : options.entries()) {
    if (entry.name == name) return std::get<T>(options.value(entry).data);
  }
  throw std::logic_error("no option " + name);
}

RopeScaling scaling_named(const std::string& name) {
  const auto names = enum_names(RopeScaling());
  return static_cast<RopeScaling>(std::find(names.begin(), names.end(), name) - names.begin());
}

/// "random_float (range = 1000, inference = "quantile")", for messages.
template <class Interface>
std::string described(const Choice<Interface>& choice) {
  std::vector<std::string> keys;
  for (const auto& entry : choice.options->entries()) {
    keys.push_back(entry.name + " = " + choice.options->value(entry).text());
  }
  return choice.use + (keys.empty() ? "" : " (" + join(keys) + ")");
}

void require_block(const DecoderOptions& model, const std::string& where) {
  const auto require = [&](const char* key, bool holds, const char* wanted) {
    if (!holds) throw Error(rfs::format("{}: model.{} must be {} for export", where, key, wanted));
  };
  require("scale_scores", model.scale_scores, "true");
  require("scale_head", !model.scale_head, "false");
}

/// A letter for each kind of layer: G all tokens, L a window, N without RoPE, M both.
char letter(const CheckpointConfig& c, int64_t layer) {
  const bool has_window = c.window_of(layer) > 0;
  return c.layer_has_rope(layer) ? (has_window ? 'L' : 'G') : (has_window ? 'M' : 'N');
}

/// The letters of all layers, cut after the shortest part that repeats.
std::string pattern_of(const CheckpointConfig& c) {
  std::string all;
  for (int64_t layer = 0; layer < c.layers; ++layer) all += letter(c, layer);
  for (size_t size = 1; size < all.size(); ++size) {
    bool repeats = true;
    for (size_t i = size; i < all.size() && repeats; ++i) repeats = all[i] == all[i - size];
    if (repeats) return all.substr(0, size);
  }
  return all;
}

void set_encoding(CheckpointConfig& config, const ModelSettings::Kind& kind, double step, const std::string& where) {
  const Options& options = *kind.encoding.options;
  const auto fail = [&](const std::string& key, const std::string& rule) {
    return Error(
        rfs::format("{}: encoding.{} must be {} for export, got {}", where, key, rule, described(kind.encoding)));
  };
  if (kind.encoding.use == "learned") {
    config.learned_rows = option<int64_t>(options, "size");
    if (step * option<double>(options, "scale") != 1) throw fail("scale", "1 / the distance of positions");
    return;
  }
  config.rotated = 2 * static_cast<int64_t>(kind.encoding.make()->rotate(config.head_width).size());
  if (config.rotated == 0) {
    throw Error(rfs::format("{}: encoding.share must rotate at least 2 of a head's {} dims for export, got {}", where,
                            config.head_width, option<double>(options, "share")));
  }
  if (option<double>(options, "kept") != 1) throw fail("kept", "1");
  config.base = option<double>(options, "base");
  config.scaling = scaling_named(option<std::string>(options, "scaling"));
  config.factor = option<double>(options, "factor");
  switch (config.scaling) {
    case RopeScaling::none:
    case RopeScaling::linear:
      config.factor = (config.scaling == RopeScaling::none ? 1 : config.factor) / step;
      config.scaling = config.factor == 1 ? RopeScaling::none : RopeScaling::linear;
      return;
    case RopeScaling::yarn:
    case RopeScaling::llama3:
      config.original_length = option<int64_t>(options, "original_length");
      if (step != 1) {
        throw Error(
            rfs::format("{}: encoding.scaling {} can be exported only with positions one apart, such as "
                        "sequential; here they are {} apart",
                        where, enum_name(config.scaling), step));
      }
      return;
    case RopeScaling::ntk:
    case RopeScaling::dynamic_ntk:
    case RopeScaling::longrope:
      throw fail("scaling", "none, linear, yarn or llama3");
  }
}

}  // namespace

void add_settings(Settings& settings, const CheckpointConfig& c, const std::string& where, bool positions) {
  const auto set = [&](const std::string& table, const std::string& key, decltype(Value::data) data) {
    settings.table(table).set(key, Value{std::move(data), where});
  };
  set("model", "preset", std::string(c.norm == Norm::layer ? "gpt2" : "llama"));
  set("model", "layers", c.layers);
  set("model", "width", c.width);
  set("model", "heads", c.heads);
  set("model", "kv_heads", c.kv_heads == c.heads ? 0 : c.kv_heads);
  set("model", "head_width", c.head_width);
  set("model", "feed_width", c.feed_width);
  set("model", "norm_epsilon", c.norm_epsilon);
  set("model", "activation", enum_name(c.activation));
  set("model", "bias", c.bias);
  set("model", "qkv_bias", c.qkv_bias);
  set("model", "qk_norm", c.qk_norm);
  set("model", "parallel", c.parallel);
  set("model", "tied", c.tied);

  const bool by_positions = c.scaling == RopeScaling::linear && (c.planned || c.factor < 1);
  if (c.learned_rows > 0) {
    set("encoding", "use", std::string("learned"));
    set("encoding", "size", c.learned_rows);
  } else {
    set("encoding", "use", std::string("rope"));
    set("encoding", "share", static_cast<double>(c.rotated) / static_cast<double>(c.head_width));
    set("encoding", "base", c.base);
    if (c.scaling != RopeScaling::none && !by_positions) {
      set("encoding", "scaling", enum_name(c.scaling));
      set("encoding", "factor", c.factor);
      if (c.original_length > 0) set("encoding", "original_length", c.original_length);
    }
  }
  if (positions) {
    set("positions", "use", std::string(by_positions ? "random_float" : "sequential"));
    if (by_positions) set("positions", "range", static_cast<double>(c.tokens) / c.factor);
  }
  const std::string pattern = pattern_of(c);
  if (pattern == "G") return;
  set("layers", "pattern", pattern);
  for (const char kind : {'L', 'N', 'M'}) {
    if (pattern.find(kind) == std::string::npos) continue;
    const std::string table = std::string("layers.") + kind;
    if (kind != 'N') set(table, "window", c.window);
    if (kind != 'L') set(table + ".encoding", "use", std::string("none"));
  }
}

CheckpointConfig config_of(const ModelSettings& settings, int64_t vocabulary, int64_t trained, int64_t tokens,
                           const std::string& where) {
  const DecoderOptions& model = settings.model;
  CheckpointConfig config;
  config.vocabulary = vocabulary;
  config.width = model.width;
  config.layers = model.layers;
  config.heads = model.heads;
  config.kv_heads = model.key_heads();
  config.head_width = model.head_width;
  config.feed_width = model.feed_width;
  config.norm = *model.norm;
  config.norm_epsilon = model.norm_epsilon;
  config.activation = *model.activation;
  config.bias = model.bias;
  config.qkv_bias = model.qkv_bias && !model.bias;
  config.qk_norm = model.qk_norm;
  config.parallel = model.parallel;
  config.tied = model.tied;
  config.tokens = std::max(trained, tokens);
  config.planned = true;

  const ModelSettings::Kind* positioned = nullptr;
  for (const auto& kind : settings.kinds) {
    if (kind.attention.use != "softmax") {
      throw Error(rfs::format("{}: attention.use must be softmax for export, got {}", where, kind.attention.use));
    }
    if (kind.options.window > 0) {
      if (config.window > 0 && config.window != kind.options.window) {
        throw Error(rfs::format("{}: all windows must be equal for export, got {} and {} tokens", where, config.window,
                                *kind.options.window));
      }
      config.window = kind.options.window;
    }
    if (kind.encoding.use == "none") continue;
    if (kind.encoding.use != "rope" && kind.encoding.use != "learned") {
      throw Error(rfs::format("{}: encoding.use must be rope or learned for export, got {}", where, kind.encoding.use));
    }
    const auto step = kind.positions.make()->even_step(trained, config.tokens);
    if (!step) {
      throw Error(
          rfs::format("{}: positions must be evenly spaced and not random at inference for export, as in linear RoPE "
                      "scaling, got {}",
                      where, described(kind.positions)));
    }
    const CheckpointConfig before = config;
    set_encoding(config, kind, *step, where);
    if (positioned && !(config == before)) {
      throw Error(
          rfs::format("{}: all layers with positions must have the same encoding and positions for export", where));
    }
    positioned = &kind;
  }
  if (!positioned) throw Error(rfs::format("{}: encoding.use must be rope or learned for export, got none", where));
  require_block(model, where);
  const ModelSpec spec = settings.spec(vocabulary, trained);
  bool rotates_in_all = true;
  for (int64_t layer = 0; layer < config.layers; ++layer) {
    const auto& kind = settings.kinds[spec.kind_of_layer[static_cast<size_t>(layer)]];
    config.no_rope.push_back(kind.encoding.use == "none");
    rotates_in_all = rotates_in_all && !config.no_rope.back();
    if (config.window > 0) config.windowed.push_back(kind.options.window > 0);
  }
  if (rotates_in_all) config.no_rope.clear();
  return config;
}

}  // namespace rfs
