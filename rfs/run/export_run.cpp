#include "rfs/run/export_run.h"

#include <algorithm>
#include <map>
#include <vector>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/interchange/hf.h"
#include "rfs/interchange/llama.h"
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
  if (request.tokens < 1 || request.tokens > PositionIndexing::longest_row) {
    throw Error(
        rfs::format("--tokens: must be between 1 and {}, got {}", PositionIndexing::longest_row, request.tokens));
  }
  const Run run = trained_run(request.run, "it is exported");
  const std::string where = run.folder().string();
  require_new(request.out);

  const StoredModel model = load_model(run.file("model.safetensors"));
  const auto settings = stored_run_settings(model.settings, where);
  NeoxConfig config =
      neox_config(*model.decoder, settings.encoding, settings.positions, model.trained_length, request.tokens, where);
  config.end = RunData(settings).tokenizer->end();
  const auto bpe = bpe_files(settings.tokenizer);
  const TensorFile ours = weights(*model.decoder);
  if (request.format == "gguf") {
    require_writable(fs::absolute(request.out).parent_path());
    write_gguf(request.out, llama_file(config, ours, bpe, run.name()));
  } else {
    const std::map<std::string, std::string> metadata = {{"rfs_settings", model.settings},
                                                         {"rfs_trained_length", std::to_string(model.trained_length)}};
    make_folder(request.out, [&](const fs::path& folder) { write_hf(folder, config, ours, metadata, bpe); });
  }

  return {run.name(),           model.decoder->parameters().size(),
          config.factor,        config.tokens,
          model.trained_length, settings.tokenizer.use,
          bpe.has_value()};
}

}  // namespace rfs
