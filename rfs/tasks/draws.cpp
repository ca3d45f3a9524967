#include "rfs/tasks/draws.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace rfs {

std::vector<uint64_t> draw_distinct(Stream& stream, uint64_t population, uint64_t count) {
  // Fisher and Yates' shuffle of 0, 1, ..., stopped after `count` numbers. Only numbers that moved are stored.
  std::unordered_map<uint64_t, uint64_t> moved;
  const auto at = [&](uint64_t place) {
    const auto it = moved.find(place);
    return it == moved.end() ? place : it->second;
  };
  std::vector<uint64_t> drawn;
  drawn.reserve(count);
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t other = i + stream.below(population - i);
    drawn.push_back(at(other));
    moved[other] = at(i);
  }
  return drawn;
}

std::vector<uint64_t> draw_weighted(Stream& stream, const std::vector<double>& weights, uint64_t count) {
  // Index i waits for an exponential time of rate weights[i]; the first `count` to arrive are the draw.
  std::vector<double> times;
  times.reserve(weights.size());
  for (const double weight : weights) times.push_back(stream.exponential() / weight);
  std::vector<uint64_t> order(weights.size());
  std::iota(order.begin(), order.end(), uint64_t{0});
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                    [&](uint64_t a, uint64_t b) { return times[a] < times[b]; });
  order.resize(count);
  return order;
}

}  // namespace rfs
