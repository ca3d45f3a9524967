#pragma once

#include <array>
#include <string_view>

namespace rfs {

/// The device that something runs on.
enum class DeviceChoice { automatic, cpu, cuda };
constexpr auto enum_names(DeviceChoice) {
  return std::array<std::string_view, 3>{"auto", "cpu", "cuda"};
}

/// The number format a model computes in.
enum class Precision { automatic, fp32, bf16 };
constexpr auto enum_names(Precision) {
  return std::array<std::string_view, 3>{"auto", "fp32", "bf16"};
}

}  // namespace rfs
