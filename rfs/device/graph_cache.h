#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace rfs {

/// Runs work on a GPU many times, as CUDA graphs on its own stream.
class GraphCache {
 public:
  GraphCache();
  ~GraphCache();

  /// Waits for the current stream, runs the work and waits until it is done. The first time for a key, it runs
  /// directly, which also initializes libraries. The second time it is captured as a graph, which later calls replay.
  /// So the work must neither synchronize nor copy from the host, and tensors that it makes are overwritten by the next
  /// replay.
  void run(int64_t key, const std::function<void()>& work);
  /// Drops the graphs, because memory that they use has moved.
  void clear();

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace rfs
