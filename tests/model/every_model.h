#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rfs/model/decoder.h"
#include "rfs/model/settings.h"

namespace rfs {

/// A small model, described by settings, for tests that run on every kind of model.
struct AnyModel {
  std::string name, settings;

  using Sizes = std::vector<std::string>;
  static inline const Sizes small = {"layers=3", "width=16", "head_width=8", "feed_width=32"};
  /// Sizes that the fast attention kernels support.
  static inline const Sizes heads_of_64 = {"layers=3", "width=64", "head_width=64", "feed_width=72",
                                           "initialisation=t5"};

  std::unique_ptr<Decoder> decoder(torch::Dtype dtype, torch::Device device = torch::kCPU,
                                   const Sizes& sizes = small) const {
    auto all = Settings::from_text(settings, name);
    for (const auto& size : sizes) all.assign("model." + size);
    auto decoder = std::make_unique<Decoder>(ModelSettings::read(all).spec(13, 20), dtype, device);
    decoder->initialise(3);
    return decoder;
  }
};

/// Every registered encoding and attention rule with every block, and several layer patterns.
inline std::vector<AnyModel> every_model() {
  const std::vector<std::pair<std::string, std::string>> blocks = {
      {"t5", "[model]\npreset = 'tiny'\nheads = 3\n"},
      {"gpt2", "[model]\npreset = 'gpt2'\nheads = 3\n"},
      {"llama", "[model]\npreset = 'llama'\nheads = 4\nkv_heads = 2\n"},
      {"llama_qk", "[model]\npreset = 'llama'\nheads = 3\nkv_heads = 1\nqk_norm = true\nactivation = 'geglu'\n"},
      {"neox", "[model]\npreset = 'gpt2'\nheads = 3\nparallel = true\n"},
      {"qwen", "[model]\npreset = 'llama'\nheads = 4\nkv_heads = 2\nqkv_bias = true\n"}};
  std::vector<AnyModel> all;
  for (const auto& [block, model] : blocks) {
    for (const auto& encoding : Registry<PositionEncoding>::names()) {
      all.push_back({block + "_" + encoding, model + "[encoding]\nuse = '" + encoding + "'\n"});
    }
    for (const auto& rule : Registry<AttentionRule>::names()) {
      all.push_back({block + "_" + rule, model + "[attention]\nuse = '" + rule + "'\n"});
    }
    all.push_back({block + "_clocks", model + "[positions]\nuse = 'sequential'\n[layers]\npattern = 'LG'\n[layers.L]\n"
                                              "window = 4\n[layers.G]\npositions.use = 'random_float'\n"
                                              "attention = {use = 'ssmax', offset = true}\n"});
    const std::string scaled = model + "[encoding]\nshare = 1.0\nfactor = 2.0\noriginal_length = 8\n";
    all.push_back({block + "_yarn", scaled + "scaling = 'yarn'\n"});
    all.push_back({block + "_dynamic", scaled + "scaling = 'dynamic_ntk'\n"});
    all.push_back({block + "_nope", model + "[layers]\npattern = 'RRN'\n[layers.N]\nencoding.use = 'none'\n"});
    all.push_back({block + "_mixed", model +
                                         "[layers]\npattern = 'AK'\n[layers.A]\nencoding.use = 'alibi'\nwindow = 2\n"
                                         "[layers.K]\nencoding.use = 'kerple'\n"});
  }
  return all;
}

inline std::string name_of(const testing::TestParamInfo<AnyModel>& info) {
  return info.param.name;
}

}  // namespace rfs
