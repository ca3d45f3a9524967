#include "rfs/run/export_run.h"

#include <algorithm>
#include <map>
#include <vector>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/interchange/checkpoint_settings.h"
#include "rfs/interchange/gguf_model.h"
#include "rfs/interchange/hf.h"
#include "rfs/model/store.h"
#include "rfs/run/data.h"
#include "rfs/run/folders.h"
#include "rfs/run/stored_settings.h"
#include "rfs/run/trained.h"

namespace rfs {
namespace fs = std::filesystem;

ExportedModel export_run(const ExportRequest& request) {
  static const std::vector<std::string> formats = {"hf", "gguf"};
  if (std::find(formats.begin(), formats.end(), request.format) == formats.end()) {
    throw Error("--format: " + unknown("format", request.format, formats));
  }
  if (request.format == "hf" && request.out.extension() == ".gguf") {
    throw Error(rfs::format("{}: hf writes a folder; add --format gguf for a GGUF file", request.out.string()));
  }
  if (request.tokens < 1 || request.tokens > PositionIndexing::longest_row) {
    throw Error(
        rfs::format("--tokens: must be between 1 and {}, got {}", PositionIndexing::longest_row, request.tokens));
  }
  const Run run = trained_run(request.run, "it is exported");
  const std::string where = run.folder().string();
  require_new(request.out);

  const StoredModel model = load_model(run.file("model.safetensors"));
  const auto settings = stored_run_settings(model.settings, where);
  CheckpointConfig config =
      config_of(settings, model.decoder->vocabulary(), model.trained_length, request.tokens, where);
  const RunData data(settings);
  require_same_ids(*data.tokenizer, settings.tokenizer.use, *model.decoder, run.file("model.safetensors").string());
  const auto ends = data.tokenizer->ends();
  config.ids = {data.tokenizer->begin(), data.tokenizer->pad(), {ends.begin(), ends.end()}};
  const std::string model_type = family_for(config, where);
  const auto family = family_named(model_type, where);
  const auto tokenizer = tokenizer_files(settings.tokenizer);
  std::string refusal;
  const TensorFile ours = weights(*model.decoder);
  if (request.format == "gguf") {
    require_writable(fs::absolute(request.out).parent_path());
    const auto gguf = gguf_tokenizer(tokenizer, config);
    refusal = gguf.refusal;
    write_gguf(request.out, gguf_file(*family, config, ours, gguf, run.name(), where));
  } else {
    const std::map<std::string, std::string> metadata = {{"rfs_settings", model.settings},
                                                         {"rfs_trained_length", std::to_string(model.trained_length)}};
    make_folder(request.out, [&](const fs::path& folder) {
      write_hf(folder, *family, config, model_type, ours, metadata, tokenizer);
    });
  }

  if (tokenizer.empty()) refusal = rfs::format("other programs do not have '{}'", settings.tokenizer.use);
  return {run.name(),
          family->title(),
          model.decoder->parameters().size(),
          config.rotated == 0 ? "" : enum_name(config.scaling),
          config.factor,
          config.tokens,
          model.trained_length,
          refusal};
}

}  // namespace rfs
