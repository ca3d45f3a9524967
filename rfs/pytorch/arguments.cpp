#include "rfs/pytorch/arguments.h"

#include "rfs/encodings/encoding.h"

namespace rfs {

torch::Tensor checked_offsets(const std::string& op, const torch::Tensor& offsets) {
  TORCH_CHECK_VALUE(offsets.scalar_type() == torch::kInt64, op, ": offsets must be int64, got ", offsets.scalar_type());
  TORCH_CHECK_VALUE(offsets.dim() == 1 && offsets.size(0) > 0, op, ": offsets must be [rows + 1], got ",
                    offsets.sizes());
  TORCH_CHECK_VALUE(!offsets.is_meta(), op, ": offsets must have data, got none; for torch.compile, import rfs first");
  const auto on_cpu = offsets.to(torch::kCPU).contiguous();
  const int64_t* offset = on_cpu.const_data_ptr<int64_t>();
  TORCH_CHECK_VALUE(offset[0] == 0, op, ": offsets must begin with 0, got ", offset[0]);
  for (int64_t row = 1; row < on_cpu.size(0); ++row) {
    TORCH_CHECK_VALUE(offset[row - 1] <= offset[row], op, ": offsets must not decrease, got ", offset[row - 1],
                      " before ", offset[row]);
  }
  return on_cpu;
}

std::vector<double> rope_frequencies(const std::string& op, int64_t head_width, double base, double share) {
  return one_line([&] {
    const auto& rope = Registry<PositionEncoding>::find("rope", op);
    const auto options = rope.options();
    options->set(op, "base", Value{base, "torch.ops.rfs"});
    options->set(op, "share", Value{share, "torch.ops.rfs"});
    return rope.make(*options)->rotate(head_width);
  });
}

}  // namespace rfs
