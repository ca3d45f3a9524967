#include "rfs/run/longrope.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/core/sha256.h"
#include "rfs/core/split.h"
#include "rfs/core/temporary.h"
#include "rfs/eval/loss.h"
#include "rfs/model/device.h"
#include "rfs/model/store.h"
#include "rfs/run/data.h"
#include "rfs/run/eval_engine.h"
#include "rfs/run/libraries.h"
#include "rfs/run/measuring.h"
#include "rfs/run/stored_settings.h"
#include "rfs/run/trained.h"

namespace rfs {
namespace fs = std::filesystem;
namespace {

std::string list_text(const std::vector<double>& factors) {
  std::string text;
  for (const double factor : factors) text += rfs::format("{}{:.4g}", text.empty() ? "" : ", ", factor);
  return "[" + text + "]";
}

/// The model with different frequencies.
class ScaledModel {
 public:
  ScaledModel(const Run& run, const LongRopeRequest& request, const RunContext& context)
      : path_(run.file("model.safetensors").string()),
        factor_(rfs::format("encoding.factor={}", request.search.extension)) {
    const TensorFile file = read_tensors(path_);
    settings_text_ = stored_settings(file, path_);
    const auto settings = stored_run_settings(settings_text_, path_);
    if (settings.encoding.use != "rope") {
      throw Error(rfs::format("{}: LongRoPE's factors need encoding.use rope, got {}", run.folder().string(),
                              settings.encoding.use));
    }
    data_ = context.data->get(settings);
    if (!data_->task->language()) {
      throw Error(rfs::format("{}: LongRoPE's factors are searched on the loss of a language model, got the task {}",
                              run.folder().string(), settings.task.use));
    }
    trained_length_ = run.train_record().trained_length;
    length_ = rfs::format("encoding.original_length={}", trained_length_);
    tokens_ = static_cast<int64_t>(std::ceil(static_cast<double>(trained_length_) * request.search.extension));
    head_width_ = settings.model.head_width;
    positions_.emplace(run_tracks(settings, data_));
    options_ = settings.eval;
    find_texts(request.texts, run.folder().string());
  }

  int64_t tokens() const { return tokens_; }
  int64_t texts() const { return texts_.size(); }

  /// By how much a scaling divides each frequency.
  std::vector<double> division(const std::string& scaling) const {
    const auto rotate = [&](const std::vector<std::string>& assignments) {
      return stored_run_settings(settings_text_, path_, assignments).encoding.make()->rotate(head_width_);
    };
    const std::vector<double> plain = rotate({"encoding.scaling=none", "encoding.kept=1.0"});
    std::vector<double> scaled = rotate({"encoding.scaling=" + scaling, "encoding.kept=1.0", factor_, length_});
    for (size_t i = 0; i < plain.size(); ++i) scaled[i] = plain[i] / scaled[i];
    return scaled;
  }

  /// The mean loss on the texts.
  double loss(const std::vector<std::string>& scaling, const std::function<void()>& progress) const {
    std::vector<std::string> assignments = {factor_, length_};
    assignments.insert(assignments.end(), scaling.begin(), scaling.end());
    const auto settings = stored_run_settings(settings_text_, path_, assignments);
    const StoredModel model =
        load_model(read_tensors(path_), path_, choose_device(*settings.eval.device, "eval.device"), settings);
    const auto engine = eval_engine(*model.decoder, settings.eval);
    const Predictor& predictor = engine ? static_cast<const Predictor&>(*engine) : *model.decoder;
    return mean_loss({predictor, *positions_, trained_length_, options_}, texts_,
                     [&](int64_t, int64_t) { progress(); });
  }

  int64_t trained_length() const { return trained_length_; }
  const std::string& settings_text() const { return settings_text_; }

 private:
  /// The first documents of the training split that are long enough. The model knows them, but they choose only a few
  /// numbers, and the test documents stay unseen.
  void find_texts(int64_t count, const std::string& where) {
    const auto tokens = data_->examples(Split::train).tokens();
    const int32_t end = data_->tokenizer->end();
    const auto size = static_cast<size_t>(tokens_) + 1;
    size_t longest = 0;
    for (size_t begin = 0; begin < tokens.size() && texts_.size() < count;) {
      const auto stop = std::find(tokens.begin() + static_cast<std::ptrdiff_t>(begin), tokens.end(), end);
      const auto document = static_cast<size_t>(stop - tokens.begin()) - begin;
      longest = std::max(longest, document);
      if (document >= size) texts_.add(tokens.subspan(begin, size), 1, tokens_);
      begin += document + 1;
    }
    if (texts_.size() == 0) {
      throw Error(
          rfs::format("{}: the search needs a training document of {} tokens, but the longest has {}; choose a "
                      "smaller --factor",
                      where, size, longest));
    }
  }

  std::string path_, settings_text_, factor_, length_;
  std::shared_ptr<const RunData> data_;
  int64_t trained_length_ = 0, tokens_ = 0, head_width_ = 0;
  std::optional<PositionTracks> positions_;
  EvalOptions options_;
  Examples texts_;
};

/// The losses that a search has computed, in the order in which it needs them. Each is written at once, so that a
/// killed search can be continued.
class KnownLosses {
 public:
  /// Losses of another search are discarded, and a last line that was cut off.
  KnownLosses(fs::path file, std::string search) : file_(std::move(file)), search_(std::move(search)) {
    std::error_code ignored;
    if (!fs::exists(file_, ignored)) return;
    std::string text = read_file(file_);
    text.resize(text.rfind('\n') + 1);
    const auto lines = split_lines(text);
    if (lines.empty() || lines.front() != search_) return;
    for (size_t i = 1; i < lines.size(); ++i) losses_.push_back(std::strtod(std::string(lines[i]).c_str(), nullptr));
    write_file(file_, text);
  }

  double next(const std::function<double()>& compute) {
    if (next_ == losses_.size()) {
      losses_.push_back(compute());
      const std::string line = rfs::format("{:.17g}", losses_.back());
      if (next_ == 0) {
        write_file(file_, search_ + "\n" + line + "\n");
      } else {
        append_line(file_, line);
      }
    }
    return losses_[next_++];
  }
  void remove() const {
    std::error_code ignored;
    fs::remove(file_, ignored);
  }

 private:
  fs::path file_;
  std::string search_;
  std::vector<double> losses_;
  size_t next_ = 0;
};

}  // namespace

std::optional<LongRopeFactors> find_longrope_factors(const Run& run, const LongRopeRequest& request,
                                                     const RunContext& context) {
  require_trained(run, "LongRoPE's factors are searched");
  require_writable(run.folder());
  const ScaledModel model(run, request, context);
  const FactorSearch& search = request.search;
  const auto train = run.train_record().provenance;
  const auto date = train.find("date");
  KnownLosses known(
      run.file("longrope.progress"),
      Sha256()
          .add(rfs::format("{} {} {} {} {}\n{}\n{}", search.extension, search.rounds, search.seed, model.texts(),
                           model.tokens(), date == train.end() ? "" : date->second, model.settings_text()))
          .hex());
  if (model.texts() < request.texts) {
    context.events->note(run.name(), rfs::format("uses {} training texts instead of {}: no more have {} tokens",
                                                 model.texts(), request.texts, model.tokens() + 1));
  }
  const Measuring measuring(Measurement::comparison, run.name(), context);
  const auto going = [&] { measuring.require_going(); };
  LongRopeFactors result;
  result.texts = model.texts();
  result.tokens = model.tokens();
  result.file = run.file(rfs::format("longrope-{:.4g}.toml", search.extension));
  const std::vector<std::string> starts = {"linear", "ntk", "yarn"};
  const int64_t all = search.evaluations() + static_cast<int64_t>(starts.size());
  int64_t done = 0;
  const auto loss = [&](const std::vector<std::string>& scaling) {
    const double value = known.next([&] { return model.loss(scaling, going); });
    measuring.progress("factors", ++done, all);
    return value;
  };
  FactorsFound found;
  try {
    std::vector<std::vector<double>> members;
    for (const auto& start : starts) {
      result.scalings.push_back({start, loss({"encoding.scaling=" + start})});
      members.push_back(model.division(start));
    }
    found = search_factors(search, members, [&](const std::vector<double>& factors) {
      return loss({"encoding.scaling=longrope", "encoding.factors=" + list_text(factors)});
    });
  } catch (const Measuring::Stopped&) {
    context.events->measured("stopped; run the same command to continue");
    return std::nullopt;
  }
  result.factors = found.factors;
  result.scalings.push_back({"longrope", found.loss});
  std::string text = rfs::format("# Found on {} training texts of {} tokens; mean loss", model.texts(), model.tokens());
  for (const auto& [name, its_loss] : result.scalings) text += rfs::format(" {} {:.4f}", name, its_loss);
  text += "\n";
  for (const auto& [key, value] : provenance(context.command, libraries()))
    text += rfs::format("# {}: {}\n", key, value);
  text += rfs::format("\n[encoding]\nscaling = \"longrope\"\nfactor = {}\noriginal_length = {}\nfactors = {}\n",
                      search.extension, model.trained_length(), list_text(result.factors));
  write_file(result.file, text);
  known.remove();
  context.events->measured(
      rfs::format("{} factors searched, loss {:.4f} at {} tokens", result.factors.size(), found.loss, model.tokens()));
  return result;
}

}  // namespace rfs
