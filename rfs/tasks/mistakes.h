#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rfs/records/eval_record.h"

namespace rfs {

/// The kinds of mistake. A wrong answer is of the kind of its first one: all before it is right, and what comes later
/// often follows from it. With p the first place where the ids differ, the first of these rules that holds says it:
///
///   stopped_early  the given answer ends at p, the expected one does not
///   ran_on         the expected answer ends at p, the given one does not
///   swapped        a cheapest script goes on at p by taking two neighbours in the other order
///   repeated       ... by putting in a run of ids that is the same as the run just before it
///   dropped        ... by leaving out an expected id
///   substituted    ... by putting another id in its place
///   other          ... by putting in an id that repeats nothing
///
/// A script makes the expected ids into the given ones; each of these edits costs 1. Of the scripts with the fewest
/// edits the cheapest are those that keep most ids. An answer that was cut before it ended is compared with what it
/// had room for: leaving out the expected rest then costs nothing.
std::vector<std::string> mistake_kinds();

/// One decoded answer beside the expected one. Both end with the end of text, the given one where it was not cut.
struct Comparison {
  double token_accuracy = 1;            ///< share of the expected ids that stand at the same place of the given answer
  double edit_distance = 0;             ///< edit_distance.h's, over the longer one's size
  std::optional<size_t> first_mistake;  ///< the tenth of the expected answer it is in, 0 to 9; nothing where right
  std::string kind;                     ///< one of mistake_kinds(); "" where right
};

/// `expected` is not empty.
Comparison compare_answers(std::span<const int32_t> expected, std::span<const int32_t> given);

/// Means, and counts of where and how the first mistakes were made.
EvalRecord::Decoded summarise(std::span<const Comparison> answers);

}  // namespace rfs
