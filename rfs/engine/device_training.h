#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "rfs/engine/device_decoder.h"
#include "rfs/engine/device_group.h"
#include "rfs/engine/engine.h"
#include "rfs/ops/adamw_launch.h"
#include "rfs/ops/batch_launch.h"
#include "rfs/tasks/examples.h"

namespace rfs {

/// Training with everything on the GPU: data, choice of batches, positions, weights, optimizer. A step is one graph of
/// kernels, captured once for each bucket of tokens and targets; the host only says which. Buckets follow from the
/// order of the data, so the host waits for nothing. Processes of a group take equal shares of each batch and add up
/// their gradients within the step. (Steps with rows of over 512 tokens or of several passes, long enough to hide the
/// host, are started kernel by kernel.)
class DeviceTraining {
 public:
  struct Options {
    UpdateOptions update;
    OrderNetwork order;
    DeviceDraws draws;
    /// Where there are no draws: positions of the sample of that number and so many tokens, a list for each track.
    std::function<std::vector<std::vector<float>>(uint64_t sample, int64_t tokens)> host_positions;
    int batch = 0;              ///< of all processes
    int micro_batch = 1 << 20;  ///< more go through the model in turn, their gradients added up in float32
    DeviceDropout dropout;
    const DeviceGroup* group = nullptr;  ///< those that share each batch, where there are others
  };
  using ExampleOf = std::function<int64_t(int64_t)>;  ///< the same order, on the host

  DeviceTraining(const Decoder& decoder, DType dtype, const Examples& examples, ExampleOf example_of,
                 const Options& options);
  ~DeviceTraining();

  int64_t updates() const { return updates_; }
  /// Makes updates, at most ring_size; a line for each. Ends early, its last line with a loss or norm that is not
  /// finite, where that happens; the weights are then those before it.
  std::vector<UpdateLine> advance(int64_t count);

  struct State {
    torch::Tensor weights, first, second;  ///< on the CPU
    int64_t updates = 0;
  };
  /// Copies the state within the GPU now; the function brings it to the CPU and may be called once, from any thread,
  /// before the next snapshot.
  std::function<State()> snapshot();
  void restore(const State& state);

  /// With the weights as they are now: to be asked for again after more updates.
  const Engine& engine();
  /// Takes what `engine` needs for batches of so many tokens, so that it is not missing later.
  void reserve(int64_t tokens) { bytes_ += engine_->reserve(tokens); }
  /// Bytes it takes on the GPU.
  size_t bytes() const { return bytes_; }

 private:
  struct Bucket {
    int tokens, targets;
    auto operator<=>(const Bucket&) const = default;
  };
  /// Rows first .. last of this process's share.
  struct Pass {
    int first, last;
    Bucket bucket;
  };
  std::vector<Pass> passes_of(int64_t update) const;
  /// Copies the positions of a pass to the GPU, where the host draws them.
  void send_positions(const Pass& pass, int64_t update);
  void step(const std::vector<Pass>& passes, int64_t update, cudaStream_t stream);
  /// Forward and backward.
  void run(const Pass& pass, cudaStream_t stream);
  cudaGraphExec_t graph(const Pass& pass);
  Update update() const;
  /// Makes the weights follow the last gradient, where they do not yet.
  void flush_update();

  const Examples& examples_;
  ExampleOf example_of_;
  Options options_;
  int rows_, first_row_;  // of each batch, and where they begin in it
  int pass_rows_;         // most rows in a pass
  int longest_;
  bool captured_;  // Steps of several passes are no graphs, nor those with long rows: LibTorch takes memory of its own
  bool overlap_update_;  // weights follow a gradient beside the next step's forward pass
  bool flushed_ = true;
  DType dtype_;
  size_t free_before_;
  DeviceDecoder decoder_;
  DeviceMemory first_, second_, snapshot_, state_, ring_, gradient_sum_, loss_sum_, pass_losses_;
  PinnedMemory staging_{32 << 20};
  DeviceMemory data_tokens_, data_offsets_, data_answers_;
  struct Sent {  // positions on their way
    explicit Sent(size_t bytes) : memory(bytes) {}
    PinnedMemory memory;
    DeviceEvent copied;
  };
  std::vector<std::unique_ptr<Sent>> sent_;
  size_t next_sent_ = 0;
  int64_t track_stride_ = 0;
  DeviceMemory ids_, offsets_, within_, samples_, sample_, positions_, predict_, labels_, target_of_, target_offsets_,
      chosen_;
  DeviceStream stream_{true};
  std::map<Bucket, cudaGraphExec_t> graphs_;
  std::unique_ptr<Engine> engine_;
  int64_t updates_ = 0;
  size_t bytes_ = 0;
};

}  // namespace rfs
