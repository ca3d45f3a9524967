// The indexings as PyTorch operators. Rows are packed: row b is tokens offsets[b] .. offsets[b + 1]. Positions are
// drawn on the CPU, from the same random streams as in training, and moved to the device of `offsets`.

#include <torch/library.h>

#include <span>

#include "rfs/positions/indexing.h"
#include "rfs/pytorch/arguments.h"

namespace rfs {
namespace {

using torch::Tensor;
using Settings = std::vector<std::pair<std::string, decltype(Value::data)>>;

/// Calls `fill(indexing, row, positions of the row)` for each row.
template <class Fill>
Tensor each_row(const std::string& op, const std::string& use, const Settings& settings, const Tensor& offsets,
                const Fill& fill) {
  return one_line([&] {
    const auto& entry = Registry<PositionIndexing>::find(use, op);
    const auto options = entry.options();
    for (const auto& [key, value] : settings) options->set(op, key, Value{value, "torch.ops.rfs"});
    const auto indexing = entry.make(*options);

    const Tensor on_cpu = checked_offsets(op, offsets);
    const int64_t *offset = on_cpu.const_data_ptr<int64_t>(), rows = on_cpu.size(0) - 1;
    Tensor positions = torch::empty({offset[rows]}, torch::kFloat32);
    for (int64_t row = 0; row < rows; ++row) {
      const auto count = static_cast<size_t>(offset[row + 1] - offset[row]);
      fill(*indexing, row, std::span(positions.data_ptr<float>() + offset[row], count));
    }
    return positions.to(offsets.device());
  });
}

/// Training positions. A row's draws depend on the seed and on its sample number in training order, which is `first`
/// for row 0.
Tensor train(const std::string& op, const Settings& settings, const Tensor& offsets, int64_t trained, int64_t seed,
             int64_t first) {
  TORCH_CHECK_VALUE(seed >= 0, op, ": seed must be at least 0, got ", seed);
  TORCH_CHECK_VALUE(first >= 0, op, ": first must be at least 0, got ", first);
  return each_row(op, op, settings, offsets, [&](const PositionIndexing& indexing, int64_t row, std::span<float> to) {
    Stream stream(static_cast<uint64_t>(seed), "positions", static_cast<uint64_t>(first + row));
    indexing.train(stream, trained, to);
  });
}

/// Inference positions without random draws. n_in is the number of tokens in the row.
Tensor infer(const std::string& op, const std::string& use, const Settings& settings, const Tensor& offsets,
             int64_t trained) {
  TORCH_CHECK_VALUE(trained >= 1, op, ": trained must be at least 1, got ", trained);
  return each_row(op, use, settings, offsets, [&](const PositionIndexing& indexing, int64_t, std::span<float> to) {
    Stream none(0, 0);
    indexing.infer(none, trained, static_cast<int64_t>(to.size()), to);
  });
}

Tensor sequential(const Tensor& offsets) {
  return infer("sequential", "sequential", {}, offsets, 1);
}

Tensor interpolated(const Tensor& offsets, int64_t trained) {
  return infer("interpolated", "interpolated", {}, offsets, trained);
}

Tensor random_integer(const Tensor& offsets, int64_t range, int64_t seed, int64_t first) {
  return train("random_integer", {{"range", range}}, offsets, 0, seed, first);
}

Tensor even_integer(const Tensor& offsets, int64_t range, int64_t trained) {
  return infer("even_integer", "random_integer", {{"range", range}, {"inference", std::string("even")}}, offsets,
               trained);
}

Tensor random_float(const Tensor& offsets, double range, int64_t seed, c10::string_view distribution, int64_t window,
                    int64_t first) {
  TORCH_CHECK_VALUE(window >= 0, "random_float: window must be at least 0, got ", window);
  const std::string draw = window > 0 ? "window" : "sequence";
  const Settings settings = {{"range", range}, {"distribution", std::string(distribution)}, {"draw", draw}};
  return train("random_float", settings, offsets, window, seed, first);
}

Tensor even_float(const Tensor& offsets, double range, int64_t trained, c10::string_view distribution) {
  const Settings settings = {
      {"range", range}, {"distribution", std::string(distribution)}, {"inference", std::string("quantile")}};
  return infer("even_float", "random_float", settings, offsets, trained);
}

}  // namespace

TORCH_LIBRARY_FRAGMENT(rfs, library) {
  // The number of positions is in the data of `offsets`. Only Python can create a fake tensor of unknown size, so the
  // fake implementations are in the Python package.
  library.def("sequential(Tensor offsets) -> Tensor");
  library.def("interpolated(Tensor offsets, SymInt trained) -> Tensor");
  library.def("even_integer(Tensor offsets, SymInt range, SymInt trained) -> Tensor");
  library.def("random_integer(Tensor offsets, SymInt range, SymInt seed, *, SymInt first=0) -> Tensor");
  library.def(
      "random_float(Tensor offsets, float range, SymInt seed, *, str distribution='uniform', SymInt window=0, "
      "SymInt first=0) -> Tensor");
  library.def("even_float(Tensor offsets, float range, SymInt trained, *, str distribution='uniform') -> Tensor");
}

TORCH_LIBRARY_IMPL(rfs, CompositeExplicitAutograd, library) {
  library.impl("sequential", sequential);
  library.impl("interpolated", interpolated);
  library.impl("random_integer", random_integer);
  library.impl("even_integer", even_integer);
  library.impl("random_float", random_float);
  library.impl("even_float", even_float);
}

}  // namespace rfs
