#include "rfs/text/bpe_merges.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <queue>
#include <stdexcept>

namespace rfs {
namespace {

constexpr size_t longest_short = 64;

}  // namespace

BpeMerges::BpeMerges(size_t count) : slots_(std::bit_ceil(4 * count + 16)), capacity_(count) {}

bool BpeMerges::add(int32_t left, int32_t right, int32_t merged) {
  Merge& slot = slots_[place(pair(left, right))];
  const bool is_new = slot.pair != pair(left, right);
  if (is_new && static_cast<size_t>(count_) >= std::max<size_t>(capacity_, 1)) {
    throw std::logic_error("BpeMerges: more merges than announced");
  }
  if (is_new) slot = {pair(left, right), count_++, merged};
  return is_new;
}

void BpeMerges::apply(std::vector<int32_t>& ids, size_t begin) const {
  if (ids.size() - begin <= longest_short) {
    apply_short(ids, begin);
  } else {
    apply_long(ids, begin);
  }
}

/// Scans all pairs each time.
void BpeMerges::apply_short(std::vector<int32_t>& ids, size_t begin) const {
  std::array<int32_t, longest_short> part;
  std::array<const Merge*, longest_short> merge;  // merge[i]: of part[i] and part[i + 1]
  size_t count = ids.size() - begin;
  for (size_t i = 0; i < count; ++i) part[i] = ids[begin + i];
  const auto look = [&](size_t i) { merge[i] = i + 1 < count ? find(part[i], part[i + 1]) : nullptr; };
  for (size_t i = 0; i < count; ++i) look(i);
  for (;;) {
    size_t best = count;
    int32_t rank = std::numeric_limits<int32_t>::max();
    for (size_t i = 0; i + 1 < count; ++i) {
      if (merge[i] && merge[i]->rank < rank) {
        rank = merge[i]->rank;
        best = i;
      }
    }
    if (best == count) break;
    part[best] = merge[best]->id;
    const auto from = static_cast<std::ptrdiff_t>(best), end = static_cast<std::ptrdiff_t>(count);
    std::copy(part.begin() + from + 2, part.begin() + end, part.begin() + from + 1);
    std::copy(merge.begin() + from + 2, merge.begin() + end, merge.begin() + from + 1);
    --count;
    look(best);
    if (best > 0) look(best - 1);
  }
  ids.resize(begin);
  ids.insert(ids.end(), part.begin(), part.begin() + static_cast<std::ptrdiff_t>(count));
}

/// The same with a priority queue of pairs over a linked list: O(n log n), for pieces of any length.
void BpeMerges::apply_long(std::vector<int32_t>& ids, size_t begin) const {
  struct Part {
    int32_t id, previous, next;
  };
  struct Candidate {
    int32_t rank, at, left, right;
    bool operator>(const Candidate& other) const { return std::pair(rank, at) > std::pair(other.rank, other.at); }
  };
  const auto count = static_cast<int32_t>(ids.size() - begin);
  std::vector<Part> parts(ids.size() - begin);
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
  const auto look = [&](int32_t at) {
    if (at < 0 || parts[static_cast<size_t>(at)].next < 0) return;
    const int32_t left = parts[static_cast<size_t>(at)].id;
    const int32_t right = parts[static_cast<size_t>(parts[static_cast<size_t>(at)].next)].id;
    if (const auto* merge = find(left, right)) queue.push({merge->rank, at, left, right});
  };
  for (int32_t i = 0; i < count; ++i) {
    parts[static_cast<size_t>(i)] = {ids[begin + static_cast<size_t>(i)], i - 1, i + 1 < count ? i + 1 : -1};
  }
  for (int32_t i = 0; i < count; ++i) look(i);
  while (!queue.empty()) {
    const Candidate best = queue.top();
    queue.pop();
    Part& left = parts[static_cast<size_t>(best.at)];
    if (left.id != best.left || left.next < 0 || parts[static_cast<size_t>(left.next)].id != best.right) continue;
    Part& right = parts[static_cast<size_t>(left.next)];
    left.id = find(best.left, best.right)->id;
    left.next = right.next;
    right.id = -1;
    if (left.next >= 0) parts[static_cast<size_t>(left.next)].previous = best.at;
    look(best.at);
    look(left.previous);
  }
  ids.resize(begin);
  for (int32_t i = 0; i >= 0; i = parts[static_cast<size_t>(i)].next) ids.push_back(parts[static_cast<size_t>(i)].id);
}

}  // namespace rfs
