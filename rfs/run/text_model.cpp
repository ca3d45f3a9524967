#include "rfs/run/text_model.h"

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/model/device.h"
#include "rfs/run/eval_engine.h"
#include "rfs/run/libraries.h"
#include "rfs/run/stored_settings.h"
#include "rfs/run/trained.h"
#include "rfs/suite/fit.h"

namespace rfs {
namespace {

std::string model_file(const Run& run) {
  require_trained(run, "it is scored");
  return run.file("model.safetensors").string();
}

}  // namespace

TextModel::TextModel(const Run& run, const std::vector<std::string>& assignments)
    : path_(model_file(run)),
      file_(read_tensors(path_)),
      settings_(stored_run_settings(stored_settings(file_, path_), path_, assignments)),
      device_((require_writable(run.folder()), choose_device(*settings_.eval.device, "eval.device"))),
      model_(load_model(std::move(file_), path_, device_, settings_)),
      tokenizer_(settings_.tokenizer.make()) {
  try {
    require_text(*tokenizer_, settings_.tokenizer.use);
  } catch (const Error& error) {
    throw Error(rfs::format("{}: {}", run.folder().string(), error.what()));
  }
  require_same_ids(*tokenizer_, settings_.tokenizer.use, *model_.decoder, path_);
  engine_ = eval_engine(*model_.decoder, settings_.eval);
}

EvalContext TextModel::context() const {
  const Predictor& predictor = engine_ ? static_cast<const Predictor&>(*engine_) : *model_.decoder;
  return {predictor, settings_.tracks(), model_.trained_length, settings_.eval};
}

Provenance TextModel::environment() const {
  auto more = libraries();
  more["device"] = device_.str();
  return more;
}

}  // namespace rfs
