#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rfs/run/settings.h"
#include "rfs/run/sweep.h"

namespace rfs {

class Decoder;
struct ImportedCheckpoint;

/// The trained model that a run starts from (`train.from`): the model of a run, or a folder in the layout of
/// `transformers`.
class Source {
 public:
  /// Throws Error if the path is neither, or if the run is not trained.
  explicit Source(const std::filesystem::path& path);
  ~Source();

  const Settings& settings() const { return settings_; }        ///< the run's, or those of an import
  int64_t trained_length() const { return trained_length_; }    ///< its n_tr
  const std::string& path() const { return path_; }             ///< as given
  std::string hash() const;                                     ///< SHA-256 of the files with its weights
  std::map<std::string, std::vector<int64_t>> tensors() const;  ///< names and shapes of its weights
  std::unique_ptr<Decoder> model() const;                       ///< the model with its weights, on the CPU

 private:
  std::string path_;
  std::filesystem::path model_file_;                // of a run
  std::unique_ptr<ImportedCheckpoint> checkpoint_;  // of `transformers`; null for a run
  Settings settings_;
  int64_t trained_length_ = 0;
};

/// If train.from names a source: the source's [model], [tokenizer], [positions], [encoding], [attention] and [layers],
/// changed by the written tables as `--set` changes a run's settings. A written model.preset or layers.pattern that
/// differs replaces the source's [model] or tables of layers. Throws Error.
Settings with_source(const Settings& written);

/// The points of a sweep, each with its source's settings. `out` is the folder of the run or sweep, if any: trained
/// runs in it need their source no more. Throws Error.
std::vector<SweepPoint> expand_with_source(const Settings& written, const std::filesystem::path& out = {});

/// How the tensors of a source and of a new model correspond. Only encodings and attention rules may differ.
struct SourceMatch {
  std::vector<std::string> common;   ///< start with the source's values
  std::vector<std::string> fresh;    ///< learned by the new encodings or attention rules, with their initial values
  std::vector<std::string> dropped;  ///< learned by the source's

  /// "148 tensors of runs/base; new: blocks.*.attention_rule.scale; dropped: none"
  std::string text(const std::string& source) const;
};

/// Throws an Error that names the key or tensor if a run with these settings and this model cannot have the source's
/// weights.
SourceMatch match(const Source& source, const RunSettings& settings, int64_t vocabulary, int64_t trained_length);

/// Copies the common tensors into a decoder.
void copy_weights(const Source& source, const SourceMatch& match, Decoder& decoder);

}  // namespace rfs
