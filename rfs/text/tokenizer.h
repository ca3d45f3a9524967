#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rfs/core/options.h"
#include "rfs/core/registry.h"

namespace rfs {

/// The words of a task's texts, for tokenizers without a fixed vocabulary.
struct Vocabulary {
  std::vector<std::string> fixed;  ///< the words of its templates
  int64_t names = 0;               ///< number of different words that fill the templates
};

/// Text to ids and back.
class Tokenizer {
 public:
  static constexpr std::string_view family = "tokenizer";
  virtual ~Tokenizer() = default;

  /// Announces the words of the texts; called before all other functions. Tokenizers with a fixed vocabulary ignore it.
  virtual void learn(const Vocabulary&) {}

  /// Thread-safe.
  virtual std::vector<int32_t> encode(std::string_view text) const = 0;
  virtual std::string decode(std::span<const int32_t> ids) const = 0;  ///< ids to text, the inverse of encode

  /// True if it accepts the ids of a data file regardless of which tokenizer made them.
  virtual bool takes_any_ids() const { return false; }

  virtual int64_t size() const = 0;  ///< number of ids
  virtual int32_t end() const = 0;   ///< the id that ends a text
  /// The ids at which generated text ends, `end` first. Chat models have several.
  virtual std::vector<int32_t> ends() const { return {end()}; }
  virtual int32_t begin() const { return end(); }  ///< what other programs put before a text; -1: nothing
  virtual int32_t pad() const { return -1; }       ///< what other programs pad a batch with; -1: nothing
  /// `count` different words that are one id each, always the same ones in the same order. Throws Error if there are
  /// fewer.
  virtual std::vector<std::string> words(int64_t count) const = 0;
};

}  // namespace rfs
