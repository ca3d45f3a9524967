#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rfs {

/// The merges of a BPE tokenizer: pairs of neighbouring ids, the id each becomes, and its rank. It is an
/// open-addressing table, because encoding looks up every pair of a word.
class BpeMerges {
 public:
  explicit BpeMerges(size_t count);

  /// Adds the next merge in order of priority. False if the pair has a merge already, which then stays.
  bool add(int32_t left, int32_t right, int32_t merged);

  /// Merges ids[begin ..]: the merge of lowest rank first, the leftmost on ties.
  void apply(std::vector<int32_t>& ids, size_t begin) const;

 private:
  struct Merge {
    uint64_t pair = ~uint64_t{0};
    int32_t rank = 0, id = 0;
  };
  static uint64_t pair(int32_t left, int32_t right) {
    return static_cast<uint64_t>(static_cast<uint32_t>(left)) << 32 | static_cast<uint32_t>(right);
  }
  const Merge* find(int32_t left, int32_t right) const {
    const Merge& slot = slots_[place(pair(left, right))];
    return slot.pair == pair(left, right) ? &slot : nullptr;
  }
  size_t place(uint64_t pair) const {
    size_t at = (pair * 0x9e3779b97f4a7c15ULL) >> 20 & (slots_.size() - 1);
    while (slots_[at].pair != pair && slots_[at].pair != ~uint64_t{0}) at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  void apply_short(std::vector<int32_t>& ids, size_t begin) const;
  void apply_long(std::vector<int32_t>& ids, size_t begin) const;

  std::vector<Merge> slots_;
  size_t capacity_;
  int32_t count_ = 0;
};

}  // namespace rfs
