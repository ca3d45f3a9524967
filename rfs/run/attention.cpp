#include "rfs/run/attention.h"

#include <algorithm>
#include <cstdlib>

#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/eval/attention_maps.h"
#include "rfs/eval/rows.h"
#include "rfs/model/store.h"
#include "rfs/records/attention_record.h"
#include "rfs/run/data.h"
#include "rfs/run/libraries.h"
#include "rfs/run/stored_settings.h"
#include "rfs/run/trained.h"

namespace rfs {
namespace {

constexpr int64_t most_weights = 500'000;  // per sample: a page shows them all

struct Found {
  Split split = Split::test;
  int64_t example = 0, length = 0;
};

/// The first sample of each length in the data.
std::vector<Found> first_samples(const RunData& data) {
  std::vector<Found> found;
  for (const Split split : {Split::validation, Split::test}) {
    const auto examples = data.examples(split);
    for (int64_t i = 0; i < examples.size(); ++i) {
      const int64_t length = examples.length(i);
      if (std::none_of(found.begin(), found.end(), [&](const Found& one) { return one.length == length; })) {
        found.push_back({split, i, length});
      }
    }
  }
  std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) { return a.length < b.length; });
  return found;
}

std::vector<Found> chosen(const std::vector<Found>& all, const std::vector<int64_t>& lengths,
                          const std::string& where) {
  std::vector<Found> samples;
  for (const int64_t length : lengths) {
    const auto it = std::find_if(all.begin(), all.end(), [&](const Found& one) { return one.length == length; });
    if (it == all.end()) {
      throw Error(rfs::format("--lengths: {} has no sample of length {}; it has lengths {} to {}", where, length,
                              all.front().length, all.back().length));
    }
    samples.push_back(*it);
  }
  if (!lengths.empty()) return samples;
  // The longest trained length, and an untrained one that is not out of reach for every method.
  const Found* trained = nullptr;
  const Found* longer = nullptr;
  for (const Found& one : all) {
    if (one.split == Split::validation) trained = &one;
  }
  if (trained) samples.push_back(*trained);
  for (const Found& one : all) {
    const auto distance = [&](const Found& other) { return std::abs(2 * other.length - 3 * trained->length); };
    if (one.split != Split::test) continue;
    if (!longer || (trained && distance(one) < distance(*longer))) longer = &one;
  }
  if (longer) samples.push_back(*longer);
  return samples;
}

class Maps {
 public:
  Maps(const RunSettings& settings, const StoredModel& model, const RunData& data, const PositionTracks& positions)
      : decoder_(*model.decoder),
        data_(data),
        positions_(positions),
        trained_length_(model.trained_length),
        options_(settings.eval),
        seed_(static_cast<uint64_t>(*settings.train.seed)) {}

  AttentionRecord::Sample sample(const Found& found, const std::string& where) const {
    const auto examples = data_.examples(found.split);
    const auto tokens = examples.row(found.example);
    const Row row = sequence_row(tokens, examples.answer(found.example));
    const auto n = static_cast<int64_t>(row.tokens.size());
    const auto& o = decoder_.options();
    if (o.layers * o.heads * n * (n + 1) / 2 > most_weights) {
      throw Error(
          rfs::format("{}: {} heads on {} tokens are too many for a page (at most {} weights); choose shorter "
                      "--lengths",
                      where, o.layers * o.heads, n, most_weights));
    }
    const EvalContext model{decoder_, positions_, trained_length_, options_};
    const std::vector<InferenceRow> rows = {
        {row, static_cast<int64_t>(tokens.size()), static_cast<uint64_t>(found.example)}};
    const Batch batch = inference_batch(model, rows);
    const auto maps = attention_maps(decoder_, batch);
    const auto best = decoder_.logits(maps.hidden_ND.index_select(0, batch.predict_M)).argmax(1);

    AttentionRecord::Sample sample;
    sample.length = found.length;
    sample.trained = found.split == Split::validation;
    for (const int32_t id : row.tokens) sample.tokens.push_back(text(id));
    for (const int32_t id : row.labels) sample.expected.push_back(text(id));
    for (int64_t i = 0; i < best.size(0); ++i) sample.predicted.push_back(text(best[i].item<int32_t>()));
    sample.positions = inference_positions(model, rows.front(), n);
    for (const auto& weights_Hnn : maps.weights_Hnn) {
      auto& heads = sample.weights.emplace_back();
      const auto rows_and_keys = torch::tril_indices(n, n);
      for (int64_t head = 0; head < o.heads; ++head) {
        const auto lower =
            weights_Hnn[head].index({rows_and_keys[0], rows_and_keys[1]}).to(torch::kFloat64).contiguous();
        heads.push_back(packed_weights({lower.data_ptr<double>(), lower.data_ptr<double>() + lower.numel()}));
      }
    }
    return sample;
  }

  AttentionRecord record() const {
    AttentionRecord record;
    record.layers = decoder_.options().layers;
    record.heads = decoder_.options().heads;
    for (int64_t layer = 0; layer < record.layers; ++layer) {
      record.tracks.push_back(static_cast<int64_t>(decoder_.spec().kind(layer).track));
    }
    for (size_t track = 0; track < positions_.size(); ++track) {
      std::vector<float> trained;
      for (uint64_t i = 0; i < 100; ++i) {
        const auto row = positions_.train(seed_, i, trained_length_, trained_length_)[track];
        trained.insert(trained.end(), row.begin(), row.end());
      }
      const auto [lowest, highest] = std::minmax_element(trained.begin(), trained.end());
      record.trained_positions.emplace_back(*lowest, *highest);
    }
    return record;
  }

 private:
  std::string text(int32_t id) const {
    return id == data_.tokenizer->end() ? "[end]" : data_.tokenizer->decode(std::span(&id, 1));
  }

  const Decoder& decoder_;
  const RunData& data_;
  const PositionTracks& positions_;
  int64_t trained_length_;
  const EvalOptions& options_;
  uint64_t seed_;
};

}  // namespace

std::string write_attention(const Run& run, std::vector<int64_t> lengths, const RunContext& context) {
  require_trained(run, "its attention is mapped");
  const std::string where = run.folder().string(), path = run.file("model.safetensors").string();
  TensorFile file = read_tensors(path);
  const auto settings = stored_run_settings(stored_settings(file, path), path);
  const StoredModel model = load_model(std::move(file), path, torch::kCPU, settings);
  const auto data = context.data->get(settings);
  if (data->task->language()) {
    throw Error(rfs::format("{}: attention maps are for tasks with answers, not for language models", where));
  }
  if (*settings.eval.n_in != InputLength::planned) {
    throw Error(rfs::format(
        "{}: eval.n_in must be planned for attention maps, got current: positions would move at every step", where));
  }
  require_writable(run.folder());
  const PositionTracks positions = run_tracks(settings, data);
  const Maps maps(settings, model, *data, positions);
  AttentionRecord record = maps.record();
  std::sort(lengths.begin(), lengths.end());
  std::string listed;
  for (const Found& found : chosen(first_samples(*data), lengths, where)) {
    record.samples.push_back(maps.sample(found, where));
    listed += rfs::format("{}{}", listed.empty() ? "" : ", ", found.length);
  }
  record.provenance = provenance(context.command, libraries());
  write_attention_record(run.file(attention_file), record);
  return rfs::format("attention of {} layers with {} heads at lengths {}", record.layers, record.heads, listed);
}

}  // namespace rfs
