#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>

#include "rfs/engine/device_training.h"

namespace rfs {
namespace {

// With more tokens per step, the update is a small part of the step. Sharing the multiprocessors was measured at 1,800
// tokens.
constexpr int64_t most_overlapped = 8192;

int whole_buckets(int64_t count) {
  return static_cast<int>((count + bucket_size - 1) / bucket_size * bucket_size);
}

template <class T>
void copy(T* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  check_cuda(cudaMemcpy(static_cast<void*>(to), from, bytes, kind), "copying to or from the GPU");
}

size_t free_memory() {
  size_t free = 0, all = 0;
  check_cuda(cudaMemGetInfo(&free, &all), "querying free memory");
  return free;
}

/// Captures work submitted to a stream instead of running it. The destructor ends the capture, also after an exception.
class Capture {
 public:
  explicit Capture(cudaStream_t stream) : stream_(stream) {
    check_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), "capturing a step");
  }
  ~Capture() {
    if (open_) cudaStreamEndCapture(stream_, &graph_);
    if (graph_) cudaGraphDestroy(graph_);
    if (open_) cudaGetLastError();
  }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  cudaGraphExec_t end() {
    open_ = false;
    check_cuda(cudaStreamEndCapture(stream_, &graph_), "capturing a step");
    cudaGraphExec_t graph = nullptr;
    check_cuda(cudaGraphInstantiate(&graph, graph_, 0), "instantiating the graph of a step");
    return graph;
  }

 private:
  cudaStream_t stream_;
  cudaGraph_t graph_ = nullptr;
  bool open_ = true;
};

}  // namespace

DeviceTraining::DeviceTraining(const Decoder& decoder, DType dtype, const Examples& examples, ExampleOf example_of,
                               const Options& options)
    : examples_(examples),
      example_of_(std::move(example_of)),
      options_(options),
      rows_(options.batch / (options.group ? options.group->size() : 1)),
      first_row_(options.group ? options.group->rank() * rows_ : 0),
      pass_rows_(std::min(rows_, options.micro_batch)),
      longest_(static_cast<int>(examples.longest())),
      captured_(pass_rows_ == rows_ && (longest_ - 1 <= long_row ||
                                        (examples.window() > 0 && !needs_flash(decoder.spec(), dtype, longest_ - 1)))),
      overlap_update_(captured_ && static_cast<int64_t>(rows_) * (longest_ - 1) <= most_overlapped),
      dtype_(dtype),
      free_before_(free_memory()),
      decoder_(decoder, dtype, true, options.stream),
      snapshot_(3 * sizeof(float) * static_cast<size_t>(decoder_.size())) {
  for (DeviceMemory* buffer : {&first_, &second_}) {
    *buffer = device_array<float>(static_cast<size_t>(whole_fours(decoder_.size())));
    check_cuda(cudaMemset(buffer->as<void>(), 0, buffer->bytes()), "clearing memory");
  }
  ring_ = device_array<UpdateLine>(ring_size);
  UpdateState state{};
  state.finite = 1;
  state_ = device_copy(std::vector<UpdateState>{state});
  data_tokens_ = device_copy(examples.tokens());
  data_offsets_ = device_copy(examples.offsets());
  data_answers_ = device_copy(std::vector<int32_t>(examples.answers().begin(), examples.answers().end()));

  int64_t most_targets = examples.window();
  for (int64_t i = 0; i < examples.size() && most_targets < longest_ - 1; ++i) {
    most_targets = std::max(most_targets, static_cast<int64_t>(examples.row(i).size()) - examples.answer(i));
  }
  const auto rows = static_cast<size_t>(pass_rows_ + filler_rows);
  const int tokens = whole_buckets(static_cast<int64_t>(pass_rows_) * (longest_ - 1));
  const int targets = whole_buckets(pass_rows_ * most_targets);
  const auto N = static_cast<size_t>(tokens), M = static_cast<size_t>(targets);
  ids_ = device_array<int32_t>(N);
  within_ = device_array<int32_t>(N);
  sample_ = device_array<uint64_t>(N);
  target_of_ = device_array<int32_t>(N);
  track_stride_ = tokens;
  positions_ = device_array<float>(decoder.spec().tracks() * N);
  if (options_.host_positions) {
    constexpr size_t ahead = 8;
    while (sent_.size() < ahead) sent_.push_back(std::make_unique<Sent>(positions_.bytes()));
  }
  predict_ = device_array<int32_t>(M);
  labels_ = device_array<int32_t>(M);
  // After a non-finite loss, steps that are already queued draw a batch that may be smaller than their bucket.
  const std::pair<DeviceMemory*, int> unread[] = {{&ids_, 0},       {&within_, 0},  {&sample_, 0}, {&target_of_, -1},
                                                  {&positions_, 0}, {&predict_, 0}, {&labels_, -1}};
  for (const auto& [memory, value] : unread) {
    check_cuda(cudaMemset(memory->as<void>(), value, memory->bytes()), "clearing memory");
  }
  offsets_ = device_array<int32_t>(rows + 1);
  target_offsets_ = device_array<int32_t>(rows + 1);
  samples_ = device_array<uint64_t>(rows);
  chosen_ = device_array<int32_t>(rows);
  decoder_.reserve(tokens, targets);
  engine_ = std::make_unique<Engine>(decoder_);
  loss_sum_ = device_array<float>(1);
  if (pass_rows_ < rows_) {
    gradient_sum_ = device_array<float>(static_cast<size_t>(whole_fours(decoder_.size())));
    pass_losses_ = device_array<float>(static_cast<size_t>((rows_ + pass_rows_ - 1) / pass_rows_));
  }
  if (options_.group) {  // connects the processes before any of them captures a graph
    options_.group->sum(dtype_, decoder_.gradient(), decoder_.size(), loss_sum_.as<float>(), stream_);
    stream_.wait();
  }
  finish_copies();
  bytes_ = free_before_ - std::min(free_before_, free_memory());
  if (needs_flash(decoder.spec(), dtype, longest_ - 1)) {
    bytes_ += static_cast<size_t>(flash_bytes(decoder.spec(), tokens, pass_rows_, multiprocessors()));
  }
}

DeviceTraining::~DeviceTraining() {
  for (auto& [bucket, graph] : graphs_) cudaGraphExecDestroy(graph);
}

std::vector<DeviceTraining::Pass> DeviceTraining::passes_of(int64_t update) const {
  std::vector<Pass> passes;
  for (int first = 0; first < rows_; first += pass_rows_) {
    const int last = std::min(first + pass_rows_, rows_);
    int64_t tokens = 0, targets = 0;
    for (int i = first; i < last; ++i) {
      const int64_t example = example_of_(update * options_.batch + first_row_ + i);
      const auto size = static_cast<int64_t>(examples_.row(example).size());
      tokens += size - 1;
      targets += size - examples_.answer(example);
    }
    passes.push_back({first, last, {whole_buckets(tokens), whole_buckets(targets)}});
  }
  return passes;
}

void DeviceTraining::run(const Pass& pass, cudaStream_t stream) {
  const Bucket& bucket = pass.bucket;
  auto* state = state_.as<UpdateState>();
  const DeviceBatch batch{
      pass.last - pass.first,  first_row_ + pass.first, options_.batch,           bucket.tokens,
      bucket.targets,          ids_.as<int32_t>(),      offsets_.as<int32_t>(),   within_.as<int32_t>(),
      samples_.as<uint64_t>(), sample_.as<uint64_t>(),  positions_.as<float>(),   track_stride_,
      predict_.as<int32_t>(),  labels_.as<int32_t>(),   target_of_.as<int32_t>(), target_offsets_.as<int32_t>(),
      chosen_.as<int32_t>()};
  DeviceInput input;
  input.rows.tokens = bucket.tokens;
  input.rows.rows = batch.batch + filler_rows;
  input.rows.longest = std::max(longest_ - 1, filler_tokens);
  if (examples_.window() > 0 && bucket.tokens == batch.batch * (longest_ - 1)) input.rows.equal_length = longest_ - 1;
  input.rows.offsets = batch.offsets;
  input.rows.within = batch.within;
  input.rows.sample = batch.sample;
  input.rows.samples = batch.samples;
  input.rows.positions = batch.positions;
  input.track_stride = track_stride_;
  input.ids = batch.ids;
  input.targets = bucket.targets;
  input.predict = batch.predict;
  input.labels = batch.labels;
  input.target_of = batch.target_of;
  input.real_targets = &state->targets;  // an address on the GPU
  input.dropout = options_.dropout;
  if (overlap_update_) decoder_.start_update(update(), stream);
  draw_batch({data_tokens_.as<int32_t>(), data_offsets_.as<int64_t>(), data_answers_.as<int32_t>(),
              static_cast<int>(examples_.window())},
             options_.order, options_.draws, longest_, batch, state, stream);
  decoder_.forward(input, stream);
  decoder_.backward(input, stream, !options_.group && pass_rows_ == rows_);
}

void DeviceTraining::send_positions(const Pass& pass, int64_t update) {
  if (!options_.host_positions) return;
  Sent& slot = *sent_[next_sent_++ % sent_.size()];
  if (next_sent_ > sent_.size()) check_cuda(cudaEventSynchronize(slot.copied), "copying to the GPU");
  auto* to = static_cast<float*>(slot.memory.get());
  const size_t tracks = slot.memory.bytes() / sizeof(float) / static_cast<size_t>(track_stride_);
  int64_t begin = 0;
  for (int row = pass.first; row < pass.last; ++row) {
    const int64_t sample = update * options_.batch + first_row_ + row;
    const auto size = static_cast<int64_t>(examples_.row(example_of_(sample)).size());
    const auto positions = options_.host_positions(static_cast<uint64_t>(sample), size);
    for (size_t track = 0; track < tracks; ++track) {  // also drawn for the last token, which is never read
      std::copy_n(positions[track].begin(), size - 1, to + static_cast<int64_t>(track) * track_stride_ + begin);
    }
    begin += size - 1;
  }
  for (size_t track = 0; track < tracks; ++track) {
    for (int64_t i = begin; i < pass.bucket.tokens; ++i) {
      to[static_cast<int64_t>(track) * track_stride_ + i] = static_cast<float>(i - begin);
    }
  }
  check_cuda(cudaMemcpyAsync(positions_.as<void>(), to, positions_.bytes(), cudaMemcpyHostToDevice, stream_),
             "copying to the GPU");
  check_cuda(cudaEventRecord(slot.copied, stream_), "recording an event");
}

void DeviceTraining::step(const std::vector<Pass>& passes, int64_t update_number, cudaStream_t stream) {
  auto* state = state_.as<UpdateState>();
  const FlatState flat = update().flat;
  const float* losses = decoder_.losses();
  int loss_count = passes.front().bucket.targets, square_parts = decoder_.square_parts();
  for (size_t i = 0; i < passes.size(); ++i) {
    if (!captured_) send_positions(passes[i], update_number);
    run(passes[i], stream);
    if (passes.size() == 1) break;
    sum_all(decoder_.losses(), passes[i].bucket.targets, pass_losses_.as<float>() + i, stream);
    add_gradient(dtype_, decoder_.gradient(), decoder_.size(), i == 0, gradient_sum_.as<float>(), stream);
  }
  if (passes.size() > 1) {
    losses = pass_losses_.as<float>();
    loss_count = static_cast<int>(passes.size());
  }
  if (options_.group) {
    sum_all(losses, loss_count, loss_sum_.as<float>(), stream);
    options_.group->sum(flat.dtype, const_cast<void*>(flat.gradient), flat.count, loss_sum_.as<float>(), stream);
    losses = loss_sum_.as<float>();
    loss_count = 1;
  }
  if (options_.group || passes.size() > 1) {
    sum_squares(flat.dtype, flat.gradient, flat.count, decoder_.squares(), stream);
    square_parts = square_blocks;
  }
  finish_gradient(options_.update, losses, loss_count, decoder_.squares(), square_parts, state, ring_.as<UpdateLine>(),
                  stream);
  if (!overlap_update_) adamw(update(), 0, decoder_.size(), multiprocessors(), stream);
}

Update DeviceTraining::update() const {
  const bool summed = pass_rows_ < rows_;
  return {options_.update,
          state_.as<UpdateState>(),
          {decoder_.size(), decoder_.matrices(), summed ? DType::fp32 : dtype_,
           summed ? gradient_sum_.as<void>() : decoder_.gradient(), decoder_.weights(), first_.as<float>(),
           second_.as<float>(), decoder_.low_weights()}};
}

void DeviceTraining::flush_update() {
  if (flushed_) return;
  adamw(update(), 0, decoder_.size(), multiprocessors(), stream_);
  check_cuda(cudaMemsetAsync(&state_.as<UpdateState>()->pending, 0, sizeof(int32_t), stream_), "clearing memory");
  flushed_ = true;
}

const Engine& DeviceTraining::engine() {
  flush_update();
  stream_.wait();
  return *engine_;
}

cudaGraphExec_t DeviceTraining::graph(const Pass& pass) {
  if (const auto found = graphs_.find(pass.bucket); found != graphs_.end()) return found->second;
  decoder_.prepare(pass.bucket.tokens, pass.bucket.targets);
  Capture capture(stream_);
  step({pass}, 0, stream_);
  check_cuda(cudaGetLastError(), "starting a kernel");
  return graphs_[pass.bucket] = capture.end();
}

std::vector<UpdateLine> DeviceTraining::advance(int64_t count) {
  const int64_t begin = updates_;
  for (int64_t i = 0; i < count; ++i) {
    const auto passes = passes_of(begin + i);
    if (captured_) {
      const cudaGraphExec_t whole_step = graph(passes.front());
      send_positions(passes.front(), begin + i);
      check_cuda(cudaGraphLaunch(whole_step, stream_), "starting a step");
    } else {
      for (const Pass& pass : passes) decoder_.prepare(pass.bucket.tokens, pass.bucket.targets);
      step(passes, begin + i, stream_);
      check_cuda(cudaGetLastError(), "starting a kernel");
    }
  }
  flushed_ = !overlap_update_;
  stream_.wait();
  UpdateState state{};
  copy(&state, state_.as<void>(), sizeof(state), cudaMemcpyDeviceToHost);
  std::vector<UpdateLine> ring(ring_size), lines;
  copy(ring.data(), ring_.as<void>(), ring_.bytes(), cudaMemcpyDeviceToHost);
  updates_ = state.updates;
  const int64_t end = state.finite ? begin + count : state.updates + 1;
  for (int64_t update = begin; update < end; ++update) lines.push_back(ring[static_cast<size_t>(update % ring_size)]);
  return lines;
}

std::function<DeviceTraining::State()> DeviceTraining::snapshot() {
  flush_update();
  const auto bytes = static_cast<size_t>(decoder_.size()) * sizeof(float);
  auto* to = static_cast<char*>(snapshot_.get());
  const void* parts[] = {decoder_.weights(), first_.as<void>(), second_.as<void>()};
  for (size_t i = 0; i < 3; ++i) {
    check_cuda(cudaMemcpyAsync(to + i * bytes, parts[i], bytes, cudaMemcpyDeviceToHost, stream_), "copying weights");
  }
  auto done = std::make_shared<DeviceEvent>();
  check_cuda(cudaEventRecord(*done, stream_), "recording an event");
  return [to, bytes, done, updates = updates_, size = decoder_.size()] {
    check_cuda(cudaEventSynchronize(*done), "work on the GPU");
    torch::Tensor parts_on_cpu[3];
    for (size_t i = 0; i < 3; ++i) {
      parts_on_cpu[i] = torch::empty({size}, torch::kFloat32);
      std::memcpy(parts_on_cpu[i].data_ptr(), to + i * bytes, bytes);
    }
    return State{parts_on_cpu[0], parts_on_cpu[1], parts_on_cpu[2], updates};
  };
}

void DeviceTraining::restore(const State& from) {
  const auto bytes = static_cast<size_t>(decoder_.size()) * sizeof(float);
  copy(decoder_.weights(), from.weights.contiguous().const_data_ptr<float>(), bytes, cudaMemcpyHostToDevice);
  copy(first_.as<float>(), from.first.contiguous().const_data_ptr<float>(), bytes, cudaMemcpyHostToDevice);
  copy(second_.as<float>(), from.second.contiguous().const_data_ptr<float>(), bytes, cudaMemcpyHostToDevice);
  decoder_.round_weights(nullptr);
  UpdateState state{};
  state.finite = 1;
  state.updates = from.updates;
  copy(state_.as<UpdateState>(), &state, sizeof(state), cudaMemcpyHostToDevice);
  finish_copies();
  updates_ = from.updates;
  flushed_ = true;
}

}  // namespace rfs
