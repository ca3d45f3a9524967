#pragma once

#include <array>
#include <string_view>

namespace rfs {

/// Where something runs.
enum class DeviceChoice { automatic, cpu, cuda };
constexpr auto enum_names(DeviceChoice) {
  return std::array<std::string_view, 3>{"auto", "cpu", "cuda"};
}

/// The arithmetic of a model.
enum class Precision { automatic, fp32, bf16 };
constexpr auto enum_names(Precision) {
  return std::array<std::string_view, 3>{"auto", "fp32", "bf16"};
}

}  // namespace rfs
