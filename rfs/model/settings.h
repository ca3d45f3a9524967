#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rfs/model/spec.h"
#include "rfs/positions/tracks.h"

namespace rfs {

/// The settings that define what a model computes: [model], [positions], [encoding] and [attention], plus [layers] if
/// the model has several kinds of layers.
///
///   [layers]
///   pattern = "LLG"       # repeated over the layers; a letter without its own table is a plain layer
///   [layers.L]
///   window = 16
///   positions.use = "sequential"
///
/// If a kind's own table has `use`, it replaces the model's table. Otherwise its keys override those of the model's
/// table.
struct ModelSettings {
  /// One kind of layer.
  struct Kind {
    std::string name;  ///< its letter; "" if the model has only one kind
    /// The keys of [layers.LETTER].
    struct Options : rfs::Options {
      Field<int64_t> window{this, "window", 0, "number of tokens that a token attends to, itself included; 0 for all",
                            at_least<int64_t>(0)};
    } options;
    bool own_positions = false, own_encoding = false, own_attention = false;  ///< whether it has its own tables
    Choice<PositionIndexing> positions;
    Choice<PositionEncoding> encoding;
    Choice<AttentionRule> attention;
    size_t track = 0;  ///< index of its track in tracks()
  };
  /// The keys of [layers].
  struct LayerOptions : rfs::Options {
    Field<std::string> pattern{this, "pattern", "",
                               "letters of layer kinds, repeated over the layers; empty if all layers are alike"};
  };

  Choice<PositionIndexing> positions;
  Choice<PositionEncoding> encoding;
  Choice<AttentionRule> attention;
  DecoderOptions model;
  LayerOptions layers;
  std::vector<Kind> kinds;  ///< in the order of the pattern

  /// Throws Error.
  static ModelSettings read(const Settings& settings);

  /// The model for a vocabulary size and n_tr.
  ModelSpec spec(int64_t vocabulary, int64_t trained_length) const;
  PositionTracks tracks() const;  ///< the indexings of its layer kinds

  /// Receives a table's name, its `use`, where `use` was written, and the options.
  using Visitor = std::function<void(const std::string&, const std::string&, const std::string&, const Options&)>;
  /// Calls `body` for [layers] and each table below it, if there is a pattern.
  void visit_layers(const Visitor& body) const;

  /// The options of [layers] or of a table below it, for the choice `use`; null for all other tables.
  static std::unique_ptr<Options> layer_options(const std::string& table, const std::string& use,
                                                const std::string& where);
};

}  // namespace rfs
