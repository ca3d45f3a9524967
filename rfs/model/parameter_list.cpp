#include "rfs/model/parameter_list.h"

#include <cmath>
#include <numeric>

namespace rfs {
namespace {

/// Standard deviation of the initial weights of a matrix. `query`: for the queries' part of qkv.
double init_stddev(const DecoderOptions& o, const std::string& name, bool query) {
  const auto power = [](int64_t size) { return 1 / std::sqrt(static_cast<double>(size)); };
  switch (*o.initialisation) {
    case Initialisation::gpt2: {
      const bool ends_branch = name.ends_with("attention.out.weight") || name.ends_with("feed.out.weight");
      return ends_branch ? 0.02 * power(2 * o.layers) : 0.02;
    }
    case Initialisation::t5:
      if (name == "embedding.weight") return 1;
      if (query) return power(o.width * o.head_width);
      if (name.ends_with("attention.out.weight")) return power(o.heads * o.head_width);
      if (name.ends_with("feed.out.weight")) return power(o.feed_width);
      return power(o.width);
  }
  return 0;
}

/// Calls `body(full name, tensor)` once for every tensor that encodings and attention rules learn.
template <class Body>
void for_each_learned(const ModelSpec& spec, const Body& body) {
  std::vector<bool> done(spec.kinds.size());
  for (int64_t layer = 0; layer < spec.options.layers; ++layer) {
    const size_t number = spec.kind_of_layer[static_cast<size_t>(layer)];
    const LayerKind& kind = spec.kinds[number];
    const ModelShape shape = spec.shape(kind);
    if (!done[number] || !kind.encoding->shared_by_layers()) {
      for (const auto& tensor : kind.encoding->learned(shape)) body(encoding_prefix(kind, layer) + tensor.name, tensor);
      done[number] = true;
    }
    for (const auto& tensor : kind.attention->learned(shape)) body(rule_prefix(layer) + tensor.name, tensor);
  }
}

}  // namespace

std::string encoding_prefix(const LayerKind& kind, int64_t layer) {
  if (!kind.encoding->shared_by_layers()) return "blocks." + std::to_string(layer) + ".encoding.";
  return kind.name.empty() ? "encoding." : "encoding." + kind.name + ".";
}

std::string rule_prefix(int64_t layer) {
  return "blocks." + std::to_string(layer) + ".attention_rule.";
}

std::vector<Parameters::Spec> parameter_list(const ModelSpec& spec) {
  const DecoderOptions& o = spec.options;
  const QkvLayout qkv = spec.qkv();
  std::vector<Parameters::Spec> list;
  const auto add_norm = [&](const std::string& name) {
    list.push_back({name + ".weight", {o.width}});
    if (*o.norm == Norm::layer) list.push_back({name + ".bias", {o.width}});
  };
  const auto add_linear = [&](const std::string& name, const std::vector<int64_t>& stacked, int64_t in, bool bias) {
    const int64_t out = std::accumulate(stacked.begin(), stacked.end(), int64_t{0});
    list.push_back({name + ".weight", {out, in}, {}, stacked});
    if (bias) list.push_back({name + ".bias", {out}});
  };
  list.push_back({"embedding.weight", {spec.vocabulary, o.width}});
  for (int64_t layer = 0; layer < o.layers; ++layer) {
    const auto block = "blocks." + std::to_string(layer) + ".";
    add_norm(block + "attention_norm");
    add_linear(block + "attention.qkv", {qkv.query_width(), qkv.kv_width(), qkv.kv_width()}, o.width,
               o.bias || o.qkv_bias);
    if (o.qk_norm) {
      list.push_back({block + "attention.query_norm.weight", {o.head_width}});
      list.push_back({block + "attention.key_norm.weight", {o.head_width}});
    }
    add_linear(block + "attention.out", {o.width}, qkv.query_width(), o.bias);
    add_norm(block + "feed_norm");
    add_linear(block + "feed.in", std::vector<int64_t>(is_gated(*o.activation) ? 2 : 1, o.feed_width), o.width, o.bias);
    add_linear(block + "feed.out", {o.width}, o.feed_width, o.bias);
  }
  add_norm("final_norm");
  if (!o.tied) list.push_back({"head.weight", {spec.vocabulary, o.width}});
  for_each_learned(spec, [&](const std::string& name, const LearnedTensor& tensor) {
    list.push_back({name, tensor.shape, tensor.decays});
  });
  return list;
}

std::map<std::string, std::function<double(Stream&, int64_t)>> initial_values(const ModelSpec& spec) {
  std::map<std::string, std::function<double(Stream&, int64_t)>> values;
  for_each_learned(spec, [&](const std::string& name, const LearnedTensor& tensor) {
    values[name] = [draw = tensor.initial](Stream& stream, int64_t) { return draw(stream); };
  });
  for (const auto& one : parameter_list(spec)) {
    if (values.contains(one.name)) continue;
    if (one.shape.size() == 1) {
      const double value = one.name.ends_with("norm.weight") ? 1 : 0;
      values[one.name] = [value](Stream&, int64_t) { return value; };
      continue;
    }
    const int64_t queries = one.name.ends_with("qkv.weight") ? spec.qkv().query_width() * spec.options.width : 0;
    const double first = init_stddev(spec.options, one.name, true), later = init_stddev(spec.options, one.name, false);
    values[one.name] = [=](Stream& stream, int64_t i) { return stream.normal() * (i < queries ? first : later); };
  }
  return values;
}

}  // namespace rfs
