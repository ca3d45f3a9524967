#include <utility>

#include "rfs/engine/device_decoder.h"

namespace rfs {

void DeviceDecoder::start_update(const Update& update, cudaStream_t stream) {
  next_event_ = 0;
  update_->now = update;
  update_->done.clear();
  join(stream, side_stream_, new_event());
  // Nothing but the choice of the batch runs beside the first block's.
  int blocks = update_->others();
  adamw(update, matrices_, size_, blocks, side_stream_);
  for (const DeviceBlock& block : blocks_) {
    adamw(update, block.begin, block.end, std::exchange(blocks, update_->blocks), side_stream_);
    update_->done.push_back(&new_event());
    check_cuda(cudaEventRecord(*update_->done.back(), side_stream_), "recording an event");
  }
}

// The pass reads its embeddings as the update will leave them, so that the table, needed again at the end alone, comes
// last.
void DeviceDecoder::update_tables(cudaStream_t stream) {
  const int64_t table = static_cast<int64_t>(vocabulary_) * width_;
  join(stream, side_stream_, new_event());
  adamw(*update_->now, embedding_, embedding_ + table, update_->blocks, side_stream_);
  if (!tied_) adamw(*update_->now, head_, head_ + table, update_->blocks, side_stream_);
}

}  // namespace rfs
