#include "rfs/tasks/mistakes.h"

#include <algorithm>

#include "rfs/core/edit_distance.h"

namespace rfs {
namespace {

using Ids = std::span<const int32_t>;

/// Costs of the cheapest edit scripts from the expected ids from index i on to the given ids from index j on.
class Scripts {
 public:
  Scripts(Ids expected, Ids given)
      : expected_(expected),
        given_(given),
        keep_(-1),
        edit_(static_cast<int64_t>(given.size()) + 1),  // more than keeping all ids can save
        costs_((expected.size() + 1) * (given.size() + 1)) {
    const bool cut = given.empty() || given.back() != expected.back();
    for (size_t i = expected.size() + 1; i-- > 0;) {
      for (size_t j = given.size() + 1; j-- > 0;) {
        int64_t& cost = costs_[i * (given.size() + 1) + j];
        const auto left = static_cast<int64_t>(expected.size() - i), made = static_cast<int64_t>(given.size() - j);
        if (made == 0) cost = cut ? 0 : left * edit_;
        if (made != 0 && left == 0) cost = made * edit_;
        if (made == 0 || left == 0) continue;
        cost = std::min(dropped(i, j), inserted(i, j, 1));
        cost = std::min(cost, expected[i] == given[j] ? at(i + 1, j + 1) + keep_ : substituted(i, j));
        if (swaps(i, j)) cost = std::min(cost, swapped(i, j));
      }
    }
  }

  int64_t at(size_t i, size_t j) const { return costs_[i * (given_.size() + 1) + j]; }
  bool swaps(size_t i, size_t j) const {
    return i + 1 < expected_.size() && j + 1 < given_.size() && expected_[i] == given_[j + 1] &&
           expected_[i + 1] == given_[j];
  }
  int64_t swapped(size_t i, size_t j) const { return at(i + 2, j + 2) + edit_ + 2 * keep_; }
  int64_t dropped(size_t i, size_t j) const { return at(i + 1, j) + edit_; }
  int64_t substituted(size_t i, size_t j) const { return at(i + 1, j + 1) + edit_; }
  int64_t inserted(size_t i, size_t j, size_t count) const {
    return at(i, j + count) + static_cast<int64_t>(count) * edit_;
  }

 private:
  Ids expected_, given_;
  int64_t keep_, edit_;
  std::vector<int64_t> costs_;
};

/// The rules of mistake_kinds() in order. Keeping equal ids is never more expensive than an edit, so a cheapest script
/// has its first edit at p.
std::string kind_of(Ids expected, Ids given, size_t p) {
  if (p == given.size() || (p + 1 < expected.size() && given[p] == expected.back())) return "stopped_early";
  if (p + 1 >= expected.size()) return "ran_on";
  const Ids rest = given.subspan(p);
  const Scripts scripts(expected.subspan(p), rest);
  const int64_t cheapest = scripts.at(0, 0);
  if (scripts.swaps(0, 0) && scripts.swapped(0, 0) == cheapest) return "swapped";
  for (size_t run = 1; run <= std::min(p, rest.size()); ++run) {
    const Ids before = given.subspan(p - run, run);
    if (std::equal(before.begin(), before.end(), rest.begin()) && scripts.inserted(0, 0, run) == cheapest) {
      return "repeated";
    }
  }
  if (scripts.dropped(0, 0) == cheapest) return "dropped";
  return scripts.substituted(0, 0) == cheapest ? "substituted" : "other";
}

constexpr size_t tenths = 10;

}  // namespace

std::vector<std::string> mistake_kinds() {
  return {"stopped_early", "ran_on", "swapped", "repeated", "dropped", "substituted", "other"};
}

Comparison compare_answers(Ids expected, Ids given) {
  const size_t shared = std::min(expected.size(), given.size());
  size_t same = 0, first = shared;
  for (size_t i = shared; i-- > 0;) {
    same += expected[i] == given[i] ? 1 : 0;
    if (expected[i] != given[i]) first = i;
  }
  if (first == expected.size() && first == given.size()) return {};
  const size_t size = expected.size(), longer = std::max(size, given.size());
  return {static_cast<double>(same) / static_cast<double>(size),
          static_cast<double>(edit_distance(expected, given)) / static_cast<double>(longer),
          std::min(first, size - 1) * tenths / size, kind_of(expected, given, first)};
}

EvalRecord::Decoded summarise(std::span<const Comparison> answers) {
  EvalRecord::Decoded all;
  all.samples = static_cast<int64_t>(answers.size());
  all.first_mistakes.assign(tenths, 0);
  for (const auto& kind : mistake_kinds()) all.mistakes[kind] = 0;
  for (const Comparison& answer : answers) {
    all.token_accuracy += answer.token_accuracy;
    all.edit_distance += answer.edit_distance;
    if (!answer.first_mistake) continue;
    ++all.first_mistakes[*answer.first_mistake];
    ++all.mistakes[answer.kind];
  }
  const double count = std::max(1.0, static_cast<double>(answers.size()));
  all.token_accuracy /= count;
  all.edit_distance /= count;
  return all;
}

}  // namespace rfs
