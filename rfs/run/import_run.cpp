#include "rfs/run/import_run.h"

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/model/store.h"
#include "rfs/records/run.h"
#include "rfs/run/data.h"
#include "rfs/run/folders.h"
#include "rfs/run/imported_checkpoint.h"

namespace rfs {
namespace fs = std::filesystem;

ImportedModel import_run(const ImportRequest& request, const RunContext& context) {
  for (const auto& assignment : request.assignments) {
    if (assignment.starts_with("model.") || assignment.starts_with("encoding.") || assignment.starts_with("layers.") ||
        assignment.starts_with("attention.")) {
      throw Error(
          rfs::format("--set {}: config.json defines the model; only task, tokenizer, positions, train and eval can be "
                      "set",
                      assignment.substr(0, assignment.find('='))));
    }
  }
  require_new(request.out);
  const ImportedCheckpoint imported = read_checkpoint(request.folder, request.assignments);
  const Checkpoint& checkpoint = imported.checkpoint;
  const CheckpointConfig& config = checkpoint.config;
  const int64_t trained = imported.trained_length;
  const auto chosen = assigned(imported.settings, request.assignments);
  const auto settings = RunSettings::read(chosen);
  const bool has_task = chosen.find("task") != nullptr;
  const int64_t words = RunData(settings).tokenizer->size();
  if (words != config.vocabulary) {
    throw Error(rfs::format("{}: the tokenizer must have the model's {} ids, got {}", request.folder.string(),
                            config.vocabulary, words));
  }
  Decoder decoder(settings.spec(config.vocabulary, trained));
  copy_weights(checkpoint, decoder);
  make_folder(request.out, [&](const fs::path& folder) {
    const Run run(folder);
    write_file(run.file("settings.toml"), settings.toml());
    save_model(run.file("model.safetensors"), decoder, settings.toml(), trained);
    TrainRecord record;
    record.trained_length = trained;
    record.parameters = decoder.parameters().size();
    Provenance more = {{imported_from, fs::absolute(request.folder).string()}};
    if (!has_task) more[imported_without_task] = "true";
    record.provenance = provenance(context.command, more);
    run.write(record);
  });
  return {checkpoint.family->title(), decoder.parameters().size(), settings.positions.use, settings.tokenizer.use,
          trained};
}

}  // namespace rfs
