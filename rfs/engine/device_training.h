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

/// Training entirely on the GPU: data, choice of batches, positions, weights and optimizer. A step is one CUDA graph,
/// captured once per bucket of token and target counts. The host only selects the graph. The bucket follows from the
/// data order, so the host never waits for the GPU. The processes of a group take equal shares of each batch and sum
/// their gradients within the step. Steps with several passes, with LibTorch's flash attention or with rows of over 512
/// tokens of different lengths are launched kernel by kernel without a graph. They are long enough to hide the launch
/// overhead.
class DeviceTraining {
 public:
  struct Options {
    UpdateOptions update;
    OrderNetwork order;
    DeviceDraws draws;
    /// Used if there are no draws: the positions of sample number `sample`, which has `tokens` tokens, as one list per
    /// track.
    std::function<std::vector<std::vector<float>>(uint64_t sample, int64_t tokens)> host_positions;
    int batch = 0;              ///< rows over all processes
    int micro_batch = 1 << 20;  ///< larger batches run in several passes, and their gradients are summed in float32
    DeviceDropout dropout;
    DType stream = DType::fp32;          ///< of the residual stream
    const DeviceGroup* group = nullptr;  ///< the processes that share each batch; null if there is only one
  };
  using ExampleOf = std::function<int64_t(int64_t)>;  ///< the same data order, on the host

  DeviceTraining(const Decoder& decoder, DType dtype, const Examples& examples, ExampleOf example_of,
                 const Options& options);
  ~DeviceTraining();

  int64_t updates() const { return updates_; }
  /// Makes up to `count` updates (at most ring_size) and returns one line per update. Stops early if a loss or gradient
  /// norm is not finite: the last line then has that value, and the weights stay as they were before it.
  std::vector<UpdateLine> advance(int64_t count);

  struct State {
    torch::Tensor weights, first, second;  ///< on the CPU
    int64_t updates = 0;
  };
  /// Starts to copy the state into page-locked memory, so that the driver can launch steps meanwhile. The returned
  /// function waits for that and copies it to tensors. Call it once, from any thread, before the next snapshot.
  std::function<State()> snapshot();
  void restore(const State& state);

  /// An engine with the current weights. Ask for it again after more updates.
  const Engine& engine();
  /// Allocates what `engine` needs for batches of `tokens` tokens, so that memory does not run out later.
  void reserve(int64_t tokens) { bytes_ += engine_->reserve(tokens); }
  /// GPU memory in use, in bytes.
  size_t bytes() const { return bytes_; }

 private:
  struct Bucket {
    int tokens, targets;
    auto operator<=>(const Bucket&) const = default;
  };
  /// Rows first .. last - 1 of this process's share of the batch.
  struct Pass {
    int first, last;
    Bucket bucket;
  };
  std::vector<Pass> passes_of(int64_t update) const;
  /// Copies the positions of a pass to the GPU, if the host draws them.
  void send_positions(const Pass& pass, int64_t update);
  void step(const std::vector<Pass>& passes, int64_t update, cudaStream_t stream);
  /// Runs forward and backward.
  void run(const Pass& pass, cudaStream_t stream);
  cudaGraphExec_t graph(const Pass& pass);
  Update update() const;
  /// Applies the pending update to the weights, if any.
  void flush_update();

  const Examples& examples_;
  ExampleOf example_of_;
  Options options_;
  int rows_, first_row_;  // rows of this process in each batch, and the index of the first one
  int pass_rows_;         // maximum number of rows in a pass
  int longest_;
  bool captured_;        // steps are CUDA graphs: few sizes of steps, and no memory allocated by LibTorch
  bool overlap_update_;  // the weight update overlaps with the next step's forward pass
  bool flushed_ = true;
  DType dtype_;
  size_t free_before_;
  DeviceDecoder decoder_;
  DeviceMemory first_, second_, state_, ring_, gradient_sum_, loss_sum_, pass_losses_;
  PinnedMemory snapshot_;
  DeviceMemory data_tokens_, data_offsets_, data_answers_;
  struct Sent {  // positions that are being copied
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
