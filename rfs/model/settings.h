#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rfs/model/spec.h"
#include "rfs/positions/tracks.h"

namespace rfs {

/// The settings that decide what a model computes: [model], [positions], [encoding] and [attention], and [layers],
/// where its layers are of several kinds.
///
///   [layers]
///   pattern = "LLG"       # repeated over the layers; a letter without a table of its own is a plain layer
///   [layers.L]
///   window = 16
///   positions.use = "sequential"
///
/// A kind's own table stands alone where it says `use`; otherwise its keys change those of the model's table.
struct ModelSettings {
  struct Kind {
    std::string name;  ///< its letter; "" for a model of one kind
    struct Options : rfs::Options {
      Field<int64_t> window{this, "window", 0, "a token sees so many tokens up to its own; 0 for all",
                            at_least<int64_t>(0)};
    } options;
    bool own_positions = false, own_encoding = false, own_attention = false;  ///< differ from the model's tables
    Choice<PositionIndexing> positions;
    Choice<PositionEncoding> encoding;
    Choice<AttentionRule> attention;
    size_t track = 0;  ///< which of tracks() it reads
  };
  struct LayerOptions : rfs::Options {
    Field<std::string> pattern{this, "pattern", "",
                               "letters of layer kinds, repeated over the layers; empty: one kind"};
  };

  Choice<PositionIndexing> positions;
  Choice<PositionEncoding> encoding;
  Choice<AttentionRule> attention;
  DecoderOptions model;
  LayerOptions layers;
  std::vector<Kind> kinds;  ///< in the order of the pattern

  /// Throws Error.
  static ModelSettings read(const Settings& settings);

  ModelSpec spec(int64_t vocabulary, int64_t trained_length) const;
  PositionTracks tracks() const;

  /// Calls `body(table, use, origin of use, options)` for [layers] and each table below it, where there is a pattern.
  using Visitor = std::function<void(const std::string&, const std::string&, const std::string&, const Options&)>;
  void visit_layers(const Visitor& body) const;

  /// The options of [layers] or of a table below it, for the choice `use`; nothing for other tables.
  static std::unique_ptr<Options> layer_options(const std::string& table, const std::string& use,
                                                const std::string& where);
};

}  // namespace rfs
