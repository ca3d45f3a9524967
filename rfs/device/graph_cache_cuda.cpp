#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include <map>

#include "rfs/device/graph_cache.h"

namespace rfs {

struct GraphCache::Inside {
  c10::cuda::CUDAStream stream = c10::cuda::getStreamFromPool(true);
  at::cuda::MempoolId_t pool = at::cuda::graph_pool_handle();
  std::map<int64_t, std::unique_ptr<at::cuda::CUDAGraph>> graphs;  // null: ran once, not captured yet
};

GraphCache::GraphCache() : inside_(std::make_unique<Inside>()) {}
GraphCache::~GraphCache() = default;

void GraphCache::run(int64_t key, const std::function<void()>& work) {
  c10::cuda::getCurrentCUDAStream().synchronize();
  const c10::cuda::CUDAStreamGuard guard(inside_->stream);
  const auto [place, first] = inside_->graphs.try_emplace(key);
  if (first) {
    work();
  } else {
    if (!place->second) {
      auto graph = std::make_unique<at::cuda::CUDAGraph>();
      graph->capture_begin(inside_->pool, cudaStreamCaptureModeRelaxed);
      work();
      graph->capture_end();
      place->second = std::move(graph);  // only now: after an error there is none to replay
    }
    place->second->replay();
  }
  inside_->stream.synchronize();
}

void GraphCache::clear() {
  inside_->graphs.clear();
  inside_->pool = at::cuda::graph_pool_handle();  // a pool without graphs cannot be used again
}

}  // namespace rfs
