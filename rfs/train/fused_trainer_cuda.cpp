#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include <cmath>
#include <cstddef>
#include <map>

#include "rfs/core/format.h"
#include "rfs/device/memory.h"
#include "rfs/engine/engine.h"
#include "rfs/ops/adamw_launch.h"
#include "rfs/train/fused_trainer.h"
#include "rfs/train/schedule.h"

namespace rfs {
namespace {

using torch::Tensor;

constexpr int64_t bucket_size = BatchLayout::filler_rows * BatchLayout::filler_tokens;

int64_t whole_buckets(int64_t count) {
  return (count + bucket_size - 1) / bucket_size * bucket_size;
}

/// Sizes of a pass over one part of a batch, rounded up.
struct Bucket {
  int64_t tokens, targets;
  auto operator<=>(const Bucket&) const = default;
};

/// Pinned host memory for a batch, and an event that tells when it can be reused.
struct Staging {
  explicit Staging(size_t bytes) : memory(bytes) {}
  PinnedMemory memory;
  DeviceEvent copied;
};

class FusedTrainer : public TorchTrainer {
 public:
  FusedTrainer(Decoder& decoder, const PositionTracks& positions, const Examples& examples, int64_t trained_length,
               const TrainOptions& options, DType dtype, std::shared_ptr<const OptimizerRule> optimizer,
               std::shared_ptr<Adapters> adapters)
      : TorchTrainer(decoder, positions, examples, trained_length, options, Ranks::alone(), std::move(optimizer),
                     std::move(adapters)),
        pass_rows_(std::min(*options.batch, *options.micro_batch)),
        dtype_(dtype),
        layout_(whole_buckets(pass_rows_ * (examples.longest() - 1)),
                whole_buckets(pass_rows_ * (examples.longest() - 1)), pass_rows_ + BatchLayout::filler_rows,
                std::max(examples.longest() - 1, BatchLayout::filler_tokens), positions.size()),
        pool_(at::cuda::graph_pool_handle()) {
    decoder.use_kernels(dtype);
    const auto on_gpu = torch::TensorOptions(decoder.device());
    memory_ = torch::zeros({static_cast<int64_t>(layout_.bytes())}, on_gpu.dtype(torch::kUInt8));
    loss_sum_ = torch::zeros({}, on_gpu.dtype(torch::kFloat32));
    squares_ = torch::zeros({square_blocks}, on_gpu.dtype(torch::kFloat32));
    ring_ = torch::zeros({ring_size * static_cast<int64_t>(sizeof(UpdateLine))}, on_gpu.dtype(torch::kUInt8));
    state_ = torch::zeros({static_cast<int64_t>(sizeof(UpdateState))}, on_gpu.dtype(torch::kUInt8));
    constexpr size_t ahead = 4;
    while (staging_.size() < ahead) staging_.push_back(std::make_unique<Staging>(layout_.bytes() + sizes_bytes));
    put_state();
  }

  std::vector<Step> advance(int64_t count) override {
    const c10::cuda::CUDAStreamGuard guard(stream_);
    stream_.synchronize();
    std::vector<Step> steps;
    const int64_t begin = updates();
    for (int64_t i = 0; i < count; ++i) {
      Step step = this->step_sizes(begin + i);
      decoder().parameters().gradient().zero_();
      loss_sum_.zero_();
      const int64_t first = (begin + i) * options().batch;
      for (int64_t row = 0; row < options().batch; row += pass_rows_) {
        run(first + row, std::min(pass_rows_, options().batch - row), step);
      }
      if (updates_on_gpu()) {
        start_update();
      } else {
        finish(step);
      }
      steps.push_back(step);
    }
    if (updates_on_gpu()) read_lines(begin, steps);
    stream_.synchronize();
    return steps;
  }

  int64_t poll_interval() const override { return updates_on_gpu() ? 16 : 1; }

  void restore(const TensorFile& file, const std::string& where) override {
    TorchTrainer::restore(file, where);
    decoder().kernels()->round_weights();
    put_state();
  }

  std::string device_text() const override {
    return rfs::format("{}, {}, fused tier", gpu().name, dtype_ == DType::bf16 ? "bf16" : "float32");
  }
  double peak() const override { return dtype_ == DType::bf16 ? gpu().flops : 0; }
  Memory memory() const override { return {estimate(Tier::fused).total(), gpu().bytes, estimate(Tier::fused).text()}; }

 private:
  static constexpr size_t sizes_bytes = 2 * sizeof(int32_t);

  /// True if the host need not wait for the gradient of an update.
  bool updates_on_gpu() const { return optimizer().rule().is_adamw() && !adapts(); }

  /// Sets the number of the next update on the GPU.
  void put_state() {
    UpdateState state{};
    state.finite = 1;
    state.updates = updates();
    check_cuda(cudaMemcpy(state_.data_ptr(), &state, sizeof(state), cudaMemcpyHostToDevice), "copying to the GPU");
    finish_copies();
  }

  /// Runs samples first .. first + rows - 1 through the model and adds their gradient.
  void run(int64_t first, int64_t rows, const Step& step) {
    const Batch part = batch(first, rows);
    const Bucket bucket{whole_buckets(part.tokens()), whole_buckets(part.predict_M.size(0))};
    Staging& slot = *staging_[next_slot_++ % staging_.size()];
    if (next_slot_ > staging_.size()) check_cuda(cudaEventSynchronize(slot.copied), "copying to the GPU");
    auto* host = static_cast<char*>(slot.memory.get());
    layout_.fill(part, dropout(first, rows), bucket.tokens, bucket.targets, step.targets, host);
    auto* sizes = reinterpret_cast<int32_t*>(host + layout_.bytes());
    sizes[0] = static_cast<int32_t>(step.tokens);
    sizes[1] = static_cast<int32_t>(step.targets);
    static_assert(offsetof(UpdateState, targets) == offsetof(UpdateState, tokens) + sizeof(int32_t));
    send(memory_.data_ptr(), host, layout_.bytes());
    send(static_cast<char*>(state_.data_ptr()) + offsetof(UpdateState, tokens), sizes, sizes_bytes);
    check_cuda(cudaEventRecord(slot.copied, stream_), "recording an event");
    graph(bucket).replay();
  }
  void send(void* to, const void* from, size_t bytes) {
    check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream_), "copying to the GPU");
  }

  void pass(const Bucket& bucket) {
    const BatchOnDevice batch = layout_.view(memory_, bucket.tokens, bucket.targets, dropout(0, 0));
    const Tensor loss = decoder().loss(batch);
    loss.backward();
    const torch::NoGradGuard no_gradient;
    loss_sum_.add_(loss * batch.targets[0]);
  }

  at::cuda::CUDAGraph& graph(const Bucket& bucket) {
    if (const auto found = graphs_.find(bucket); found != graphs_.end()) return *found->second;
    if (graphs_.empty()) {  // libraries initialize themselves in their first call, which must not be captured
      pass(bucket);
      decoder().parameters().gradient().zero_();
      loss_sum_.zero_();
      stream_.synchronize();
      c10::cuda::CUDACachingAllocator::emptyCache();  // graphs have their own pool, and a capture frees nothing
    }
    auto graph = std::make_unique<at::cuda::CUDAGraph>();
    graph->capture_begin(pool_, cudaStreamCaptureModeRelaxed);
    pass(bucket);
    graph->capture_end();
    return *graphs_.emplace(bucket, std::move(graph)).first->second;
  }

  /// AdamW with factors that are computed on the GPU.
  void start_update() {
    const Parameters& parameters = decoder().parameters();
    const TrainOptions& o = options();
    const Tensor &gradient = parameters.gradient(), &low = decoder().kernels()->low_weights();
    auto* state = reinterpret_cast<UpdateState*>(state_.data_ptr());
    const Update update{{o.learning_rate, o.weight_decay, o.beta1, o.beta2, o.epsilon, o.clip, o.warmup, o.steps},
                        state,
                        {parameters.size(), parameters.decayed(), DType::fp32, gradient.const_data_ptr(),
                         parameters.flat().data_ptr<float>(), optimizer().tensors()[0].data_ptr<float>(),
                         optimizer().tensors()[1].data_ptr<float>(), low.defined() ? low.data_ptr() : nullptr}};
    sum_squares(DType::fp32, gradient.const_data_ptr(), gradient.numel(), squares_.data_ptr<float>(), stream_);
    finish_gradient(update.options, loss_sum_.const_data_ptr<float>(), 1, squares_.const_data_ptr<float>(),
                    square_blocks, state, reinterpret_cast<UpdateLine*>(ring_.data_ptr()), stream_);
    adamw(update, 0, parameters.size(), multiprocessors(), stream_);
    check_cuda(cudaGetLastError(), "starting a kernel");
  }

  void read_lines(int64_t begin, std::vector<Step>& steps) {
    stream_.synchronize();
    UpdateState state{};
    std::vector<UpdateLine> ring(ring_size);
    const auto copy = [](void* to, const Tensor& from) {
      check_cuda(cudaMemcpy(to, from.const_data_ptr(), from.nbytes(), cudaMemcpyDeviceToHost), "copying from the GPU");
    };
    copy(&state, state_);
    copy(ring.data(), ring_);
    for (size_t i = 0; i < steps.size(); ++i) {
      const int64_t update = begin + static_cast<int64_t>(i);
      const UpdateLine& line = ring[static_cast<size_t>(update % ring_size)];
      steps[i].loss = line.loss;
      steps[i].gradient_norm = line.gradient_norm;
      steps[i].learning_rate = line.learning_rate;
      if (update < state.updates) {
        optimizer().count_update();
      } else {
        require_finite(steps[i]);
      }
    }
  }

  /// Update of any other optimizer, or of adapters: the host waits for the gradient.
  void finish(Step& step) {
    step.loss = loss_sum_.item<double>() / static_cast<double>(step.targets);
    collect_gradient();
    update(step);
    decoder().kernels()->round_weights();
  }

  int64_t pass_rows_;
  DType dtype_;
  BatchLayout layout_;
  at::cuda::MempoolId_t pool_;
  c10::cuda::CUDAStream stream_ = c10::cuda::getStreamFromPool(true);
  Tensor memory_, loss_sum_, squares_, ring_, state_;
  std::vector<std::unique_ptr<Staging>> staging_;
  size_t next_slot_ = 0;
  std::map<Bucket, std::unique_ptr<at::cuda::CUDAGraph>> graphs_;
};

}  // namespace

std::unique_ptr<Trainer> make_fused_trainer(Decoder& decoder, const PositionTracks& positions, const Examples& examples,
                                            int64_t trained_length, const TrainOptions& options, DType dtype,
                                            std::shared_ptr<const OptimizerRule> optimizer,
                                            std::shared_ptr<Adapters> adapters) {
  return std::make_unique<FusedTrainer>(decoder, positions, examples, trained_length, options, dtype,
                                        std::move(optimizer), std::move(adapters));
}

}  // namespace rfs
