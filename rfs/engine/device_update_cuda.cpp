#include <utility>

#include "rfs/engine/device_decoder.h"

namespace rfs {

void DeviceDecoder::start_update(const Update& update, cudaStream_t stream) {
  next_event_ = 0;
  update_->now = update;
  update_->done.clear();
  join(stream, side_stream_, new_event());
  // Only the drawing of the batch runs at the same time as the update of the first block, so that update gets more
  // multiprocessors.
  int blocks = update_->others();
  adamw(update, matrices_, size_, blocks, side_stream_);
  for (const DeviceBlock& block : blocks_) {
    adamw(update, block.begin, block.end, std::exchange(blocks, update_->blocks), side_stream_);
    update_->done.push_back(&new_event());
    check_cuda(cudaEventRecord(*update_->done.back(), side_stream_), "recording an event");
  }
}

// The forward pass reads the embeddings as they will be after the update. So the embedding table, which is not needed
// again until the end, is updated last.
void DeviceDecoder::update_tables(cudaStream_t stream) {
  const int64_t table = static_cast<int64_t>(vocabulary_) * width_;
  join(stream, side_stream_, new_event());
  adamw(*update_->now, embedding_, embedding_ + table, update_->blocks, side_stream_);
  if (!tied_) adamw(*update_->now, head_, head_ + table, update_->blocks, side_stream_);
}

}  // namespace rfs
