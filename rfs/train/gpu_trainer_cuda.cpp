#include <cmath>

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/core/random.h"
#include "rfs/engine/device_group.h"
#include "rfs/engine/device_training.h"
#include "rfs/optimizers/optimizer_rule.h"
#include "rfs/train/gpu_trainer.h"
#include "rfs/train/order.h"
#include "rfs/train/state.h"

namespace rfs {
namespace {

DeviceDraw device_draw(const TrainDraw& draw, int64_t trained_length, uint64_t key) {
  DeviceDraw device;
  device.kind = draw.kind == TrainDraw::Kind::counted         ? DeviceDraw::counted
                : draw.kind == TrainDraw::Kind::sorted_floats ? DeviceDraw::sorted_floats
                                                              : DeviceDraw::chosen_integers;
  device.range = draw.range;
  device.window = draw.window ? static_cast<int>(trained_length) : 0;
  device.key = key;
  return device;
}

/// How the GPU draws all tracks; empty if it cannot.
DeviceDraws device_draws(const PositionTracks& tracks, int64_t trained_length, uint64_t seed) {
  DeviceDraws draws;
  if (tracks.size() > DeviceDraws::most || trained_length > longest_drawn) return {};
  for (size_t track = 0; track < tracks.size(); ++track) {
    const auto draw = tracks[track].train_draw();
    if (!draw) return {};
    draws.of_track[draws.count++] =
        device_draw(*draw, trained_length, stream_key(seed, PositionTracks::purpose("positions", track)));
  }
  return draws;
}

class GpuTrainer : public Trainer {
 public:
  GpuTrainer(const Decoder& decoder, const PositionTracks& positions, const Examples& examples, int64_t trained_length,
             const TrainOptions& options, DType dtype, const Ranks& ranks)
      : parameters_(decoder.parameters()),
        steps_(options.steps),
        dtype_(dtype),
        group_(join(ranks)),
        training_(decoder, dtype, examples, Order(examples.size(), seed(options)),
                  settings(decoder, positions, examples, trained_length, options, group_.get())) {}

  int64_t updates() const override { return training_.updates(); }
  int64_t poll_interval() const override { return 32; }

  std::vector<Step> advance(int64_t count) override {
    std::vector<Step> steps;
    for (const UpdateLine& line : training_.advance(count)) {
      steps.push_back({line.loss, line.learning_rate, line.gradient_norm, line.tokens, line.targets});
      if (std::isfinite(line.loss) && std::isfinite(line.gradient_norm)) continue;
      throw AgreedError(
          rfs::format("train: loss {} or gradient norm {} is not finite at step {}; try a "
                      "lower train.learning_rate",
                      line.loss, line.gradient_norm, updates() + 1));
    }
    return steps;
  }

  std::function<TensorFile()> snapshot() override {
    return [this, get = training_.snapshot()] {
      const auto state = get();
      return pack_state(parameters_,
                        {state.weights, {{"first", state.first}, {"second", state.second}}, state.updates});
    };
  }

  void restore(const TensorFile& file, const std::string& where) override {
    const TrainState state = unpack_state(parameters_, OptimizerRule::adamw()->state_names(), file, steps_, where);
    training_.restore({state.weights, state.optimizer[0].second, state.optimizer[1].second, state.updates});
  }

  const Predictor& predictor() override { return training_.engine(); }
  void reserve(int64_t tokens) override { training_.reserve(tokens); }
  Memory memory() const override { return {static_cast<double>(training_.bytes()), gpu().bytes}; }
  std::string device_text() const override {
    return rfs::format("{}, {}", gpu().name, dtype_ == DType::bf16 ? "bf16" : "float32");
  }
  double peak() const override { return dtype_ == DType::bf16 ? gpu().flops : 0; }

 private:
  static uint64_t seed(const TrainOptions& options) { return static_cast<uint64_t>(*options.seed); }

  static DeviceTraining::Options settings(const Decoder& decoder, const PositionTracks& positions,
                                          const Examples& examples, int64_t trained_length, const TrainOptions& o,
                                          const DeviceGroup* group) {
    const Order order(examples.size(), seed(o));
    DeviceTraining::Options options;
    options.update = {o.learning_rate, o.weight_decay, o.beta1, o.beta2, o.epsilon, o.clip, o.warmup, o.steps};
    options.order = order.network();
    options.draws = device_draws(positions, trained_length, seed(o));
    if (options.draws.count == 0) {
      options.host_positions = [=, number = seed(o)](uint64_t sample, int64_t tokens) {
        const auto row = examples.row(order(static_cast<int64_t>(sample)));
        return positions.train(number, sample, trained_length, tokens, row);
      };
    }
    options.batch = static_cast<int>(*o.batch);
    options.micro_batch = static_cast<int>(*o.micro_batch);
    options.dropout = Dropout{decoder.options().dropout, stream_key(seed(o), "dropout"), {}}.on_device();
    options.stream = *o.residual == ResidualType::bf16 ? DType::bf16 : DType::fp32;
    options.group = group;
    return options;
  }

  /// Null for one rank.
  static std::unique_ptr<DeviceGroup> join(const Ranks& ranks) {
    if (ranks.size() == 1) return nullptr;
    const std::string name = ranks.all(ranks.first() ? new_group_name() : "").front();
    return join_group(name, ranks.rank(), ranks.size());
  }

  const Parameters& parameters_;
  int64_t steps_;
  DType dtype_;
  std::unique_ptr<DeviceGroup> group_;
  DeviceTraining training_;
};

}  // namespace

std::unique_ptr<Trainer> make_gpu_trainer(const Decoder& decoder, const PositionTracks& positions,
                                          const Examples& examples, int64_t trained_length, const TrainOptions& options,
                                          DType dtype, const Ranks& ranks) {
  return std::make_unique<GpuTrainer>(decoder, positions, examples, trained_length, options, dtype, ranks);
}

}  // namespace rfs
